export const Plugin = async () => ({
  "tool.execute.before": async (input, output) => {
    output.cancel = true; // want unread "output.cancel of tool.execute.before is never read"
    Object.assign(output, { message: "no" }); // want unread "throw an Error with the message"
  },
  "chat.message": async (input, output) => {
    output.reply = "hello"; // want unread "it reads message, parts"
  },
  "experimental.compaction.autocontinue": async (input, output) => {
    output.stop = true; // want unread "it reads enabled"
  },
});
