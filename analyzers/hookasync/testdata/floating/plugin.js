import { appendFile } from "node:fs/promises";
import { guard, upload } from "./upload.js";

const first = async ({ client }) => ({
  "tool.execute.after": async (input, output) => {
    upload(output.output); // want floating "nobody waits for upload"
    appendFile("log.txt", output.title); // want floating "nobody waits for appendFile"
    fetch("https://example.com").then((r) => r.json()); // want floating "nobody waits for fetch"
    input.args.files.forEach((file) => upload(file));
  },
  "tool.execute.before": async (input, output) => {
    guard(output.args.command); // want floating "its exception cannot stop the tool"
  },
});
export { first };
