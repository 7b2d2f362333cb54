// A helper that gets the whole input.
export function check(call) {
  return String(call["args"]); // want inputargs "input.args"
}
