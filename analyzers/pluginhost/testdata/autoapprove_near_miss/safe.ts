export const isSafe = (kind: unknown) => kind === "read";
