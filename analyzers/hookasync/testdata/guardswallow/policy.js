export function assertAllowed(path) {
  if (path.startsWith("/etc")) throw new Error("not there");
}
export async function deny(command) {
  if (command.includes("rm")) throw new Error("no rm");
}
