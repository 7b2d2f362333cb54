export default {
  id: "both",
  server: async () => ({}),
  tui: async () => {}, // want v1shape "has both server and tui"
};
