// Puts the rules of the house into the system prompt.
import { readFile } from "node:fs/promises"
import type { Plugin } from "@opencode-ai/plugin"

export const HOUSE = "the house" // want pluginload/valueexport "is a plain value"

export const Rules: Plugin = async ({ directory }) => ({
  "experimental.chat.system.transform": async (input, output) => {
    const rules = await readFile(`${directory}/RULES.md`, "utf8") // want pathguard/transformio "before every call of the model"
    output.system = [...output.system, `It is ${new Date().toISOString()}.`, rules] // want hookio/reassign "this assignment is lost" // want pathguard/unstableprompt "from its cache"
  },
})
