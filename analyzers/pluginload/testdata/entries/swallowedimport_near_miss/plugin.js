// Packages may be absent, a failure may be told, and one import may stand in for another.
export default async () => {
  const sharp = await import("sharp").catch(() => null);
  const gate = await import("./gate.js").catch((error) => console.error(error));
  return { event: async () => [sharp, gate, await first(), await plain()] };
};
async function first() {
  try {
    return await import("./a.js");
  } catch {}
  try {
    return await import("./b.js");
  } catch {}
  return {};
}
async function plain() {
  try {
    return () => import("./c.js");
  } catch {
    return null;
  }
}
