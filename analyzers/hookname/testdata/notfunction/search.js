export const search = { execute: async () => "" };
