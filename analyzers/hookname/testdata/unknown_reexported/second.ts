export const Renamed = async () => ({
  event: async () => {},
  "session.diff": async () => {}, // want unknown "it is an event"
})
