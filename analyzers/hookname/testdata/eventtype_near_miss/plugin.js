const parts = new Map([["text", 1]]);
function describe(kind) {
  return kind === "no.event";
}
export default async ({ bus }) => {
  bus.on("x", ({ event }) => event.type === "bus.started");
  return {
    event: async ({ event }) => {
      if (event.type === "permission.asked" || event.type === "permission.updated") return;
      if (event.type === "message.part.updated" && event.properties.part.type === "tool") return;
      if (parts.has(event.properties.part?.type)) return describe(event.properties.kind);
      if (event.type === "message.updated" && event.properties || event.type === "step-finish") return;
      if (event.type !== "turn.ended" && event.type !== "session.idle" && event.type !== "turn.over") return;
      if (event.type === "" || event.type === bus.type) return;
      if (event.type.startsWith("session.next")) return;
      const inner = { type: "inner" };
      return inner.type === "inner";
    },
    "chat.message": async (input) => {
      if (input.event?.type === "chat.started") return;
    },
  };
};
