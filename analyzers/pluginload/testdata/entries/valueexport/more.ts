export const LIMIT = 3;
export const Notify = "hidden by the name in the entry";
