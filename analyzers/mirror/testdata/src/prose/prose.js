export const VERSION = "1";
export const LIMIT = 10;
export const fileName = (id) => `${id}.json`;
