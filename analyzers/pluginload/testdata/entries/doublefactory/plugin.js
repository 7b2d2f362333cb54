const create = () => async () => ({ event: async () => {} });
export const Notify = create();
export default create(); // want doublefactory "exports Notify and default are two functions that return the same hooks"
