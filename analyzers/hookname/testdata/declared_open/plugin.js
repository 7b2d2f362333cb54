// Some keys are known only at run time: there is nothing to compare the list with.
const HOOK_NAMES = ["event"];
export default async (input) => ({ event: async () => HOOK_NAMES, ...input.more });
