// host 1.14.41
export default async () => ({
  dispose: async () => {}, // want dead "it came with a later version (1.15.11 has it)"
  close: async () => {}, // want unknown "dispose does from 1.15.11 on"
  "experimental.provider.small_model": async () => {}, // want dead "1.16.2"
  provider: { id: "x", models: {} },
  event: async ({ event }) => event.type === "never.published",
});
