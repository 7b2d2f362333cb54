export default async ({ directory }) => {
  if (!directory) return; // want returnsnothing "can return nothing here"
  return { event: async () => {} };
};
export const End = async ({ directory }) => { // want returnsnothing "dies with exit status 1"
  if (directory) {
    return { event: async () => {} };
  }
};
export const Switch = async ({ directory }) => { // want returnsnothing "can return nothing"
  switch (directory) {
    case "a":
      return { event: async () => {} };
    case "b":
      break;
    default:
      return {};
  }
};
export const Null = async (input) => (input.directory ? { event: async () => {} } : null); // want returnsnothing "can return nothing"
export const Nested = async (input) => {
  return create(input);
};
function create(input) {
  if (input) return null; // want returnsnothing "can return nothing"
  return { event: async () => {} };
}
