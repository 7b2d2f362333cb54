export const Notify = async () => ({ event: async () => {} });
export default async (input) => Notify(input); // want doublefactory "happens twice"
