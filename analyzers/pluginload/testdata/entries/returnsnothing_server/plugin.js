export default {
  id: "x",
  server: async () => { // want returnsnothing "can return nothing"
    console.error("ready");
  },
};
