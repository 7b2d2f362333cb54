import { exec, spawn } from "node:child_process";
import { promisify } from "node:util";
import { options, within } from "some-package";

const run = promisify(exec);
const quick = { signal: AbortSignal.timeout(500) };

export default async (input) => {
  await fetch("https://example.com", { signal: AbortSignal.timeout(1000) });
  await fetch("https://example.com", quick);
  await fetch("https://example.com", { ...quick, method: "POST" });
  await fetch("https://example.com", options);
  await run("tool --version", { timeout: 1000 });
  await Promise.race([fetch("https://example.com"), new Promise((resolve) => setTimeout(resolve, 1000))]);
  await within(1000, fetch("https://example.com"));
  fetch("https://example.com").catch(() => {}); // nobody waits
  void run("tool sync").catch(() => {});
  spawn("tool", ["serve"], { detached: true, stdio: "ignore" }).unref();
  await new Promise((resolve) => {
    const child = spawn("tool");
    setTimeout(() => child.kill(), 1000);
    child.on("close", resolve);
  });
  const refresh = async () => (await fetch("https://example.com")).json(); // only made here
  return {
    "chat.params": async (_, output) => Object.assign(output.options, await refresh()),
    event: async () => {
      await fetch("https://example.com"); // not waited for by the host
    },
  };
};
