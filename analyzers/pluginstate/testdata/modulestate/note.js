export let last;
export function note(properties) {
  if (last !== properties.sessionID) last = properties.sessionID; // want modulestate "last"
}
