export async function judge(args) {
  return args.command === "rm" ? "deny" : "allow";
}
