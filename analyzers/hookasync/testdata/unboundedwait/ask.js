export async function ask(args) {
  const response = await fetch("https://example.com/judge", { method: "POST", body: JSON.stringify(args) }); // want unboundedwait "the tool call waits"
  return response.text();
}
