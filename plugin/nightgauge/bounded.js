// State that cannot grow with the length of a run.

/**
 * A map that holds at most max entries: setting one more drops the entry whose key was
 * set first.
 *
 * @template V
 * @param {number} max
 * @returns {{ get(key: string): V | undefined, set(key: string, value: V): void,
 *   delete(key: string): void, entries(): [string, V][] }}
 */
export function createBoundedMap(max) {
  const map = new Map();
  return {
    get: (key) => map.get(key),
    set(key, value) {
      if (!map.has(key) && map.size >= max) map.delete(map.keys().next().value);
      map.set(key, value);
    },
    delete: (key) => void map.delete(key),
    entries: () => [...map],
  };
}
