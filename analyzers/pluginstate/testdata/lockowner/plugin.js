import fs from "node:fs";
const lock = "/var/lib/plugin/state.lock";
export default async () => ({
  event: async () => {
    const release = acquire();
    release?.();
  },
});
function acquire() {
  for (let i = 0; i < 10; i++) {
    try {
      fs.writeFileSync(lock, "x", { flag: "wx" });
      return () => fs.unlinkSync(lock); // want lockowner "removes the lock of another process"
    } catch {
      if (Date.now() - fs.statSync(lock).mtimeMs > 5000) fs.rmSync(lock); // want lockowner "judged old by its time alone"
    }
  }
}
