export * from "./inner"
export { Renamed as Second } from "./second"
export type { Config } from "./inner"
