export default async () => ({
  event: async (input) => {
    const type = input.event?.type ?? input.type;
    return type === "session.idle";
  },
  "chat.message": async (input) => input.type,
});
