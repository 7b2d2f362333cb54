export function describe(event) {
  console.group(event.type); // want stdout "console.group"
  return event.type;
}
