export const FOREIGN = ["PreToolUse"];
export { FOREIGN as HOOK_NAMES };
