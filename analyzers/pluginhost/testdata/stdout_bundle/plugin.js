// node_modules/lib/index.js
function warnOnce(text) {
  console.log(text); // want stdout "2 calls in the code of other packages"
  console.error(text);
}
function exitNow() {
  console.log("bye");
  process.exit(1);
}
// src/plugin.ts
export default async () => {
  warnOnce("x");
  exitNow();
  logIfDebug(() => console.log("asked for"));
  console.log("own"); // want stdout "console.log writes"
  return {};
};
