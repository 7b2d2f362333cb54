export const ENDINGS = new Set([
  "session.deleted",
  "session.closed", // want eventtype "session.closed"
])

export async function handle(event: { type: string }) {
  const type = event.type
  if (type === "session.ended") return // want eventtype "session.ended"
  return deeper(0, type)
}

function deeper(depth: number, type: string): unknown {
  if (type === "file.changed") return // want eventtype "file.changed"
  return deeper(depth + 1, type)
}
