const counts = new Map();
export function assertAllowed(path) {
  if (path.startsWith("/etc")) throw new Error("not there");
}
export function readConfig() {
  throw new Error("none");
}
export function record(args) {
  counts.set(args, (counts.get(args) ?? 0) + 1);
}
