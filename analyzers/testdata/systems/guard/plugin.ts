// A guard that keeps the agent in its workspace.
import type { Plugin } from "@opencode-ai/plugin"
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"

const server: Plugin = async ({ directory }) => {
  const root = realpathSync(directory)

  function inside(path: string): boolean {
    const target = resolve(root, path)
    const real = existsSync(target) ? realpathSync(target) : target // want pathguard/realpathifexists "a new file below a link"
    return real.startsWith(root) // want pathguard/prefix "begins with the same letters"
  }

  return {
    event: { idle: () => {} }, // want hookname/notfunction "the run hangs"
    "tool.execute.before": async (input, output) => {
      try {
        if (input.tool === "write" || input.tool === "edit") {
          if (!inside(output.args.filePath)) throw new Error("outside of the workspace") // want hookasync/guardswallow "the tool that it should stop runs"
        }
      } catch (error) {
        await report(String(error))
      }
    },
  }
}

const tui = async () => {}

async function report(text: string): Promise<void> {
  console.log(text) // want pluginhost/stdout "run --format json"
}

export default { id: "guard", server, tui } // want pluginload/v1shape "both server and tui"
