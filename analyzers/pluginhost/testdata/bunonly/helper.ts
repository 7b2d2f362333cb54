export const helper = (...args: unknown[]) => Bun.hash(String(args)); // want bunonly "Bun.hash"
