// The same function under several names, and plugins with hooks of their own.
const create = () => async () => ({ event: async () => {} });
const Notify = create();
export { Notify, Notify as Plugin };
export const Other = async () => ({ event: async () => {} });
export default Notify;
