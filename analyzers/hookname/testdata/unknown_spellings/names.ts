export const IDLE = "session.idle" as const
export const names = { error: "session.error" } as const
export const onIdle = async () => {}
