// The guard as it should be.
import type { Plugin } from "@opencode-ai/plugin"
import { realpathSync } from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, basename } from "node:path"

const PATHS = ["read", "edit", "write", "grep", "glob", "list"]

// real resolves the deepest directory that exists, so that a new file below a link is seen
// where it will lie.
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT" || dirname(path) === path) throw error
    return join(real(dirname(path)), basename(path))
  }
}

const server: Plugin = async ({ directory }) => {
  const root = realpathSync(directory)

  function check(path: unknown): void {
    if (typeof path !== "string") throw new Error("the call names no path")
    const way = relative(root, real(resolve(root, path)))
    if (way === ".." || way.startsWith("../") || isAbsolute(way)) throw new Error("outside of the workspace")
  }

  return {
    "tool.execute.before": async (input, output) => {
      if (input.tool === "bash" || input.tool === "apply_patch") throw new Error("not in this workspace")
      if (PATHS.includes(input.tool)) check(output.args.filePath ?? output.args.path)
    },
  }
}

export default { id: "guard", server }
