import { rewrite } from "./rewrite.js";
export default {
  id: "reassign",
  server: async () => {
    let late;
    late = createLate();
    return {
      "tool.execute.before": async (input, output) => {
        output.args = { command: "true" }; // want reassign "keeps the object that args was in tool.execute.before"
        const o = output;
        o["args"] = structuredClone(output.args); // want reassign "args"
        rewrite(input, output);
        await late["tool.execute.before"](input, output);
        Object.assign(output, { args: {} }); // want reassign "args"
      },
      "chat.message": async (input, out) => {
        let parts = out.parts;
        if (input.agent) parts = parts.filter((p) => p.type === "text");
        out.parts = parts; // want reassign "parts was in chat.message"
        out.message = { ...out.message, role: "user" }; // want reassign "message"
      },
      "command.execute.before": async (_, output) => {
        output.parts = make(); // want reassign "parts"
      },
      "experimental.chat.messages.transform": async (_, output) => {
        output.messages = output.messages.slice(-5); // want reassign "messages"
      },
      "experimental.chat.system.transform": async (_, output) => {
        output.system = [...output.system, "Be brief."]; // want reassign "system"
        output.system = _.x ? ["a"] : output.system; // want reassign "system"
      },
    };
  },
};
function make() {
  return [{ type: "text" }];
}
function createLate() {
  return {
    "tool.execute.before": async (input, output) => {
      output.args = Object.assign({}, output.args); // want reassign "args"
    },
  };
}
