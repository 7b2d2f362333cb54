import { appendFileSync, writeFileSync } from "node:fs";
import { safely } from "./safely.js";
import { wrap } from "some-package";

const record = async (event) => {
  throw new Error(event.type);
};
const seen = new Set();

const first = async () => ({ event: async () => { throw new Error("rejected: text on stderr only"); } });
const second = async () => ({ event: (input) => record(input.event) }); // the promise of an async function
const third = async () => ({
  event: ({ event }) => {
    try {
      writeFileSync("x", event.type);
    } catch {
      seen.add("failed");
    }
  },
});
const fourth = async () => ({
  event: ({ event }) => {
    seen.add(event.type);
    console.error(event.type);
    setTimeout(() => seen.clear(), 10);
    Promise.resolve().then(() => {
      throw new Error("a rejection");
    });
  },
});
const fifth = async () => ({ event: safely(({ event }) => appendFileSync("x", event.type)) });
const sixth = async () => ({ event: wrap(({ event }) => appendFileSync("x", event.type)) });
const seventh = async () => ({ "chat.message": (input) => appendFileSync("x", input.sessionID) });
export { first, second, third, fourth, fifth, sixth, seventh };
