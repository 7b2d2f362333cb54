// A plugin for "@opencode-ai/plugin".
export default { id: "x", hooks: { event() {} } }; // want v1shape "the default export has no server"
