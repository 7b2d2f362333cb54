export default async ({ directory }) => {
  if (!directory) throw new Error("no directory"); // want throwsatinit "drops a plugin that throws while it is loaded"
  try {
    await 1;
  } catch {
    throw new Error("again"); // want throwsatinit "drops a plugin"
  }
  return { event: async () => {} };
};
if (!process.env.TOKEN) throw new Error("TOKEN is not set"); // want throwsatinit "drops a plugin"
