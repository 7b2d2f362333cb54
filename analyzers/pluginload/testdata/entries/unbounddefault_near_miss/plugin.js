// A method that needs no object, an arrow, a wrapper, and a method of the object itself.
const notify = {
  hooks: {},
  start: async () => ({ event: async () => {} }),
  async stop() {
    return function () { return this; };
  },
};
export const Other = notify.stop;
export default {
  id: "x",
  hooks: {},
  async server(input) {
    if (this) return { ...this.hooks };
    return notify.start(input);
  },
};
