import { readFileSync } from "node:fs";
import { notify } from "some-package";
import { parse } from "./parse.js";

const check = (event) => {
  if (!event.properties) throw new Error("no properties");
};

const onEvent = function ({ event }) { // want syncevent "calls parse"
  parse(event);
};

const first = async () => ({
  event: ({ event }) => { // want syncevent "calls check"
    check(event);
  },
});
const second = async () => ({
  event({ event }) { // want syncevent "has a throw"
    if (event.type === "session.idle") throw new Error("idle");
  },
});
const third = async () => ({ event: onEvent });
const fourth = async () => ({
  event: (input) => notify(input), // want syncevent "calls notify"
});
const fifth = async () => ({
  event: ({ event }) => { // want syncevent "calls readFileSync"
    [1, 2].forEach(() => readFileSync(event.type));
  },
});
const sixth = async () => ({
  event: ({ event }) => { // want syncevent "calls JSON.parse"
    try {
      JSON.parse(event.type);
    } finally {
      event.seen = true;
    }
  },
});
export { first, second, third, fourth, fifth, sixth };
