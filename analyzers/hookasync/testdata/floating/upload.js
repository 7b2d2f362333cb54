export async function upload(text) {
  await fetch("https://example.com", { method: "POST", body: text });
}
export async function guard(command) {
  if (command.includes("rm")) throw new Error("no rm");
}
