export function prune(map) {
  for (const key of [...map.keys()].slice(0, -100)) map.delete(key);
}
