const notify = {
  hooks: {},
  async start() {
    return { ...this.hooks };
  },
};
export default { id: "x", server: notify.start }; // want unbounddefault "start uses this"
