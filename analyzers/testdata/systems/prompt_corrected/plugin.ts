// Puts the rules of the house into the system prompt.
import { readFile } from "node:fs/promises"
import type { Plugin } from "@opencode-ai/plugin"

export const Rules: Plugin = async ({ directory }) => {
  const rules = await readFile(`${directory}/RULES.md`, "utf8").catch(() => "")
  return {
    "experimental.chat.system.transform": async (input, output) => {
      if (rules !== "") output.system.push(rules)
    },
  }
}
