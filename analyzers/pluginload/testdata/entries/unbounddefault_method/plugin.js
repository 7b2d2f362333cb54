class Notify {
  hooks = {};
  async start() {
    return this.hooks;
  }
}
export default new Notify().start; // want unbounddefault "start uses this"
