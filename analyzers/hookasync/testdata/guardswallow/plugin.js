import { assertAllowed, deny } from "./policy.js";

const first = async ({ client }) => ({
  "tool.execute.before": async (input, output) => {
    try {
      if (output.args.command.includes("rm -rf")) throw new Error("blocked"); // want guardswallow "ends this exception"
    } catch (err) {
      await client.app.log({ body: { message: String(err) } });
    }
  },
});
const second = async () => ({
  "tool.execute.before": async (input, { args }) => {
    try {
      assertAllowed(args.filePath); // want guardswallow "the exception of assertAllowed"
    } catch {}
  },
});
const third = async () => ({
  "tool.execute.before": async (input, output) => {
    const command = String(output.args?.command ?? "");
    await deny(command).catch(() => {}); // want guardswallow "the .catch behind deny"
  },
});
const fourth = async () => ({
  "tool.execute.before": async (input, output) => {
    try {
      for (const part of output.args.command.split(";")) {
        if (part.trim().startsWith("sudo")) {
          throw new Error("no sudo"); // want guardswallow "ends this exception"
        }
      }
    } catch (err) {
      if (err.name === "AbortError") return;
    } finally {
      input.seen = true;
    }
  },
});
export { first, second, third, fourth };
