// Names and values that reach the object in other ways than as a plain literal.
import type { Plugin } from "@opencode-ai/plugin"
import { IDLE, names, onIdle } from "./names"

const extra = () => ({
  "message.updated": async () => {}, // want unknown "it is an event"
})

export const Späße: Plugin = async (ctx) => {
  const hooks: Record<string, unknown> = {
    [IDLE]: onIdle, // want unknown "session.idle"
    [names.error]: onIdle, // want unknown "session.error"
    [ctx.directory]: onIdle,
    "turn.ended": ctx.onTurn, // want unknown "it has no hook of such a name"
    state: ctx.state,
    ...extra(),
  }
  hooks["session.created"] = async () => {} // want unknown "session.created"
  hooks.shutdown = async () => {} // want unknown "dispose"
  return hooks
}
