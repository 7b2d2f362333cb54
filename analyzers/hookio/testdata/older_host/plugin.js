// host 1.3.2
// The hook that came later is the subject of hookname.
export const Plugin = async () => ({
  "experimental.provider.small_model": async (input, output) => { output.nothing = 1; },
  "tool.execute.before": async (input, output) => { output.args = {}; }, // want reassign "OpenCode 1.3.2"
});
