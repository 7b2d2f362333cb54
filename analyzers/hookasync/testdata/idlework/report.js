import { writeFileSync } from "fs";

export const save = () => writeFileSync("state.json", "{}");

export async function report($, event) {
  const branch = await $`git branch --show-current`.text();
  await $`curl -d ${branch} example.com`; // want idlework "$ runs after an await"
}
