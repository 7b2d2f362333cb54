export function wrap(value) {
  return value;
}
export async function guard() {}
