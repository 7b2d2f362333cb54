// What the agent is reminded of when its history is compacted: the calls that the gate has
// denied. Without it the summary forgets them and the agent spends the rest of the run on
// being denied again.

import { createBoundedMap } from "./bounded.js";
import { sanitizeEventID } from "./events.js";

/** Pairs of tool and code that are remembered. */
export const DENIALS_MAX = 24;

/** Bytes of the reminder that no compaction passes. */
export const COMPACTION_CONTEXT_MAX_BYTES = 2048;

/**
 * @returns {{ note(tool: string, code: string): void, reminder(): string }} note counts
 *   one denial; reminder is "" as long as there is none
 */
export function createDenialLog() {
  const counts = createBoundedMap(DENIALS_MAX);
  return {
    note(tool, code) {
      const key = `${sanitizeEventID(tool) || "unnamed"} (${code})`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    reminder() {
      const denials = counts.entries().map(([key, count]) => `${key}: ${count}`);
      return denials.length === 0 ? "" : joinBounded(INTRODUCTION, denials);
    },
  };
}

const INTRODUCTION =
  "This run is unattended and every tool call is gated. Calls denied so far, by tool and code; do not repeat them, take another way:";

/** Whole items only: half a code would be another code. */
function joinBounded(head, items) {
  let text = head;
  for (const item of items) {
    const longer = `${text}\n- ${item}`;
    if (Buffer.byteLength(longer) > COMPACTION_CONTEXT_MAX_BYTES) break;
    text = longer;
  }
  return text;
}
