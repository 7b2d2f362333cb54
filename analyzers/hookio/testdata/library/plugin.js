// No plugin: what its functions return was never meant as hooks.
export function options() {
  return { args: [], config: {}, run: (input, output) => { output.args = {}; } };
}
