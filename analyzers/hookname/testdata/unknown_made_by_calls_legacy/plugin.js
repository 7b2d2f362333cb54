// A factory made by a function counts, a promise of one does not: OpenCode cannot call it.
const make = (provider) => async () => ({
  auth: { provider },
  "message.updated": async () => {}, // want unknown "it is an event"
});
const makeLater = async () => () => ({ event: async () => {}, "session.idle": async () => {} });

export const Plugin = make("one");
export const Promised = makeLater();
