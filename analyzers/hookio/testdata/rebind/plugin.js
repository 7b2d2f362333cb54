export const Plugin = async () => ({
  "chat.params": async (input, output) => {
    output = { temperature: 0 }; // want rebind "replaces the variable output"
  },
  "chat.headers": async (input, { headers }) => {
    headers = { "x-a": "1" }; // want rebind "the field headers of the output"
  },
  "shell.env": async (input, { env: vars = {} }) => {
    vars = { A: "1" }; // want rebind "the field env"
  },
});
