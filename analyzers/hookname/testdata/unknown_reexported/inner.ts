export * from "./plugin"
export interface Config {
  on: boolean
}
export const Inner = async () => ({
  event: async () => {},
  "todo.updated": async () => {}, // want unknown "it is an event"
})
export default async () => ({ "session.idle": async () => {} }) // a default is not re-exported by *
