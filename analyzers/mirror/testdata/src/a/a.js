export const VERSION = "2";
export const LIMIT = 8192;
export const QUOTE = 'y"';
export const NAMES = ["a", "b"];
export const MORE = ["a", "b"];
export const fileName = (id) => `run-${id}.jsonl`;
