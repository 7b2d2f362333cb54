export function helper(x) {
  return x.y;
}
