import { budget } from "./budget.js";

const first = async () => ({
  "chat.message": async (input, output) => {
    if (output.parts.length === 0) throw new Error("empty"); // want fatalthrow "leaves the chat.message hook, where it ends the run with status 1"
  },
  "chat.params": async (input, output) => {
    output.parts.forEach((part) => {
      if (part.type === "file") throw new Error("no files"); // want fatalthrow "chat.params"
    });
  },
});
const second = async () => ({
  "experimental.chat.system.transform": async (input, output) => {
    await budget(output.system);
  },
  "tool.execute.after": async (input, output) => {
    try {
      await budget([]);
    } catch (err) {
      throw new Error("over budget", { cause: err }); // want fatalthrow "makes a call that had worked an error"
    }
  },
  "shell.env": (input, output) => {
    throw new Error("no shell"); // want fatalthrow "makes every shell command an error"
  },
});
export { first, second };
