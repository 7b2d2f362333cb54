export const names = ["a", "b"];
