import { search } from "./search.js";
class Handler {}
const params = { temperature: 0 };
export default {
  id: "kinds",
  server: async () => ({
    event: { "session.idle": () => {} }, // want notfunction "is an object, not a function: OpenCode 1.18.30 calls it at the first event, and the run hangs"
    "chat.params": params, // want notfunction "is an object"
    "chat.message": [() => {}], // want notfunction "is an array"
    "shell.env": "PATH=/bin", // want notfunction "is a plain value"
    "chat.headers": Handler, // want notfunction "is a class"
    "tool.definition": new Map(), // want notfunction "is an object"
    tool: () => ({ search }), // want notfunction "is a function, not an object"
    auth() {}, // want notfunction "is a function, not an object"
  }),
};
