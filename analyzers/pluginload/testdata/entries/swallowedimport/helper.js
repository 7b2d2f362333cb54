export function helper() {
  try {
    return require("./native.js"); // want swallowedimport "./native.js"
  } catch {
    return undefined;
  }
}
