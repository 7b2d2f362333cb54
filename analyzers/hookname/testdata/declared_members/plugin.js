import fs from "node:fs";
export default {
  id: "declared",
  server: async () => {
    const hooks = { "tool.execute.before": async () => {}, event: async () => {} };
    const proof = {
      nonce: process.env.NONCE,
      hooks: ["tool.execute.before", "chat.message"], // want declared ""event" is not listed, "chat.message" is not returned"
    };
    fs.writeFileSync(process.env.SENTINEL, JSON.stringify(proof));
    return hooks;
  },
};
