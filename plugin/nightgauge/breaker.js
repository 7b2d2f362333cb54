// Spares the host a call that keeps failing. For observers only: a gate that is skipped
// after failures is no gate (BUGS.md B67).

/** Failures in a row after which calls are skipped. */
export const BREAKER_FAILURES = 5;

/** While it skips, every so many calls one is tried. */
export const BREAKER_PROBE_EVERY = 16;

/**
 * @template {unknown[]} A
 * @template R
 * @param {(...args: A) => R} call
 * @param {(result: R) => boolean} isFailure
 * @returns {(...args: A) => R | "skipped"}
 */
export function withBreaker(call, isFailure) {
  let failures = 0;
  let skipped = 0;
  return (...args) => {
    if (failures >= BREAKER_FAILURES && ++skipped % BREAKER_PROBE_EVERY !== 0) return "skipped";
    const result = call(...args);
    failures = isFailure(result) ? failures + 1 : 0;
    return result;
  };
}
