import { appendFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

export function open() {
  const file = join(homedir(), ".judge.jsonl")
  return {
    mark(id, verdict) {
      appendFileSync(file, `${JSON.stringify({ id, verdict })}\n`)
    },
  }
}
