export const x = async () => {}; export const P = async () => ({ event: x });
