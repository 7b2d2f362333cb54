// Every path returns, throws or never ends.
export default async ({ directory }) => {
  const nothing = () => {};
  nothing();
  if (!directory) return {};
  try {
    return { event: async () => {} };
  } finally {
    nothing();
  }
};
export const Ends = async ({ directory }) => {
  switch (directory) {
    case "a":
      for (;;) {
        if (directory) return { event: async () => {} };
      }
    case "b":
      fail("b");
    default:
      process.exit(1);
  }
};
export const Else = async ({ directory }) => {
  if (directory) return { event: async () => {} };
  else if (directory === "") {
    return {};
  } else {
    await fail("no");
  }
};
function fail(text) {
  console.error(text);
  throw new Error(text);
}
