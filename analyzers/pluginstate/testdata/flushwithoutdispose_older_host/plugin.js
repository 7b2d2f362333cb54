// host 1.14.41
import { writeFileSync } from "node:fs";
let timer;
export default async () => ({
  event: async ({ event }) => {
    if (timer) return;
    timer = setTimeout(() => writeFileSync("/var/tmp/last", event.type), 50); // want flushwithoutdispose "write it in the hook"
  },
});
