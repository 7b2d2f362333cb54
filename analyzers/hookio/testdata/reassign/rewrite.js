// A helper that gets the whole output writes to it as the hook would.
export function rewrite(call, result) {
  if (call.tool === "bash") result.args = { ...result.args, timeout: 1 }; // want reassign "args"
}
