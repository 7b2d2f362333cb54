export function parse(event) {
  try {
    return JSON.parse(event.properties.text);
  } catch (err) {
    throw new Error("not JSON", { cause: err });
  }
}
