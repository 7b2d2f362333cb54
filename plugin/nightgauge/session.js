// The observing hooks: they report what a run does, and none of them can stop it. A throw
// out of one would hang the run, end it or fail a tool (HOST.md section 2), so each catches
// everything. The host awaits none of them at the end of a run: what they do, they do
// before they return.

import { createBoundedMap } from "./bounded.js";
import { sanitizeEventID } from "./events.js";

/** Sessions that are remembered, of each kind. */
export const SESSIONS_MAX = 4096;

/**
 * @typedef {object} SessionDeps
 * @property {(kind: string, fields: { sessionID: string, child: boolean, detail?: object }) => string} appendEvent
 * @property {(sessionID: string) => void} stopVerify starts the verifying child
 * @property {() => string} reminder text for a compaction, "" for none
 */

/**
 * @param {SessionDeps} deps
 */
export function createSession({ appendEvent, stopVerify, reminder }) {
  const roots = createBoundedMap(SESSIONS_MAX);
  const children = createBoundedMap(SESSIONS_MAX);
  const idle = createBoundedMap(SESSIONS_MAX);

  /** @param {string} sessionID */
  function isChild(sessionID) {
    return children.get(sessionID) === true;
  }

  // Only these two events tell a sub-agent's session from a root (BUGS.md B19).
  function announced({ info }) {
    if (info.parentID) {
      children.set(info.id, true);
      roots.delete(info.id);
    } else if (!isChild(info.id)) {
      roots.set(info.id, true);
    }
  }

  // The host may publish idle more than once for one stop.
  function becameIdle({ sessionID }) {
    if (idle.get(sessionID)) return;
    idle.set(sessionID, true);
    appendEvent("idle", { sessionID, child: isChild(sessionID) });
    // A session that was never announced may be a sub-agent's: no claim that the run ended.
    if (roots.get(sessionID)) stopVerify(sessionID);
  }

  function changedStatus({ sessionID, status }) {
    if (status.type === "busy") idle.delete(sessionID);
  }

  function compacted({ sessionID }) {
    appendEvent("compaction", { sessionID, child: isChild(sessionID) });
  }

  // Patterns and metadata of the request are model text and stay out.
  function askedPermission({ id, sessionID, permission }) {
    appendEvent("permission_ask", {
      sessionID,
      child: isChild(sessionID),
      detail: { permission: sanitizeEventID(permission), request_id: sanitizeEventID(id) },
    });
  }

  function event({ event: { type, properties } }) {
    switch (type) {
      case "session.created":
      case "session.updated":
        return announced(properties);
      case "session.status":
        return changedStatus(properties);
      case "session.idle":
        return becameIdle(properties);
      case "session.compacted":
        return compacted(properties);
      case "permission.asked":
        return askedPermission(properties);
      default:
    }
  }

  function toolAfter({ tool, sessionID, callID, args }) {
    if (tool !== "skill") return;
    appendEvent("skill", {
      sessionID,
      child: isChild(sessionID),
      detail: { source: "tool", skill: sanitizeEventID(args?.name), call_id: sanitizeEventID(callID) },
    });
  }

  // Skills are offered as slash commands too; the host tells the two apart nowhere.
  function commandBefore({ command, sessionID }) {
    appendEvent("skill", {
      sessionID,
      child: isChild(sessionID),
      detail: { source: "command", skill: sanitizeEventID(command) },
    });
  }

  function compacting(_input, output) {
    const text = reminder();
    if (text === "") return;
    output.context = [...(Array.isArray(output.context) ? output.context : []), text];
  }

  // The host's own "continue" after a compaction can overflow the context again, and again
  // (BUGS.md B20). Without it the session goes idle, and the verdict tells whether the work
  // is done.
  function autocontinue(_input, output) {
    output.enabled = false;
  }

  return {
    isChild,
    toolAfter: quiet(toolAfter),
    commandBefore: quiet(commandBefore),
    async permissionAsk() {},
    event: quiet(event),
    compacting: quiet(compacting),
    autocontinue: quiet(autocontinue),
  };
}

/**
 * @param {(input: any, output: any) => void} hook
 * @returns {(input: unknown, output: unknown) => Promise<void>} runs hook before it
 *   returns, and never rejects
 */
function quiet(hook) {
  return async (input, output) => {
    try {
      hook(input, output);
    } catch {
      // The host handed over something unreadable: there is nothing to report about it.
    }
  };
}
