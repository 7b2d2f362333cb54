export async function budget(lines) {
  if (lines.length > 10) throw new Error("too much"); // want fatalthrow "experimental.chat.system.transform"
}
