// An exported helper is called as a factory, but what it returns was never meant as hooks.
export async function Plugin() {
  return { event: async () => {} };
}
export function paths() {
  return { root: () => "/", home: () => "/home" };
}
