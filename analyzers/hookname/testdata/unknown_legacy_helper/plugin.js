// An exported helper is called as a factory, but what it returns was never meant as hooks.
export async function Plugin() {
  return { event: async () => {} };
}
export function paths() {
  return { root: () => "/", home: () => "/home" };
}
export function availability(tool) {
  return { tool, status: () => 0, event: "checked", config: { close() {} } };
}
