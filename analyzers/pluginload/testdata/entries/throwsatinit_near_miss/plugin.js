// Hooks throw to stop a tool, a try catches, and what a catch got is handed on.
export default async ({ directory }) => {
  try {
    if (!directory) throw new Error("no directory");
  } catch (error) {
    console.error(error);
  }
  try {
    await 1;
  } catch (error) {
    if (directory) throw error;
  }
  const check = () => {
    throw new Error("no");
  };
  return {
    "tool.execute.before": async () => {
      check();
      throw new Error("no");
    },
  };
};
