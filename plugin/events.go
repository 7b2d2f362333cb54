package plugin

import "time"

// EventFormat is the value of an event's key v.
//
//ngvet:mirror nightgauge/events.js#EVENT_FORMAT
const EventFormat = 1

// EventKinds lists what a run reports. Treat it as read-only.
//
//ngvet:mirror nightgauge/events.js#EVENT_KINDS
//ngvet:mirror nightgauge/session.js#calls(appendEvent) superset
var EventKinds = []string{"compaction", "idle", "stop_verify", "permission_ask", "skill"}

// EventVerdictKind is the kind that ends a run. Part of the file is kept for it, so that
// the cap cannot swallow a verdict.
//
//ngvet:mirror nightgauge/events.js#VERDICT_KIND
const EventVerdictKind = "stop_verify"

// EventTruncatedKind marks a file that had no room for an event. The writers alone write
// it, once per file.
//
//ngvet:mirror nightgauge/events.js#TRUNCATED_KIND
const EventTruncatedKind = "truncated"

// EventBannedKeys are keys that name free text. No detail may have one, whatever its case:
// the events hold ids, counts and codes only. Treat it as read-only.
//
//ngvet:mirror nightgauge/events.js#BANNED_KEYS
var EventBannedKeys = []string{
	"args", "content", "description", "input", "message", "metadata", "output", "parts",
	"patterns", "prompt", "reason", "summary", "text", "title",
}

// EventsMaxBytes is the size that an events file never passes.
//
//ngvet:mirror nightgauge/append.js#EVENTS_MAX_BYTES
const EventsMaxBytes = 1 << 20

// EventLineMaxBytes bounds one line, its newline included.
//
//ngvet:mirror nightgauge/events.js#EVENT_LINE_MAX_BYTES
const EventLineMaxBytes = 4 << 10

// EventsLockZoneBytes is the length of the end of the file in which writers take turns.
// Before it, one write per line keeps them apart.
//
//ngvet:mirror nightgauge/append.js#EVENTS_LOCK_ZONE_BYTES
const EventsLockZoneBytes = 64 << 10

// EventUnlockedLineMaxBytes bounds a line that is written without a turn. More than a
// hundred writers may each be about to write one when the lock zone begins; together they
// must fit into the zone.
//
//ngvet:mirror nightgauge/append.js#EVENT_UNLOCKED_LINE_MAX_BYTES
const EventUnlockedLineMaxBytes = 512

// EventsVerdictReserveBytes is kept for a line of EventVerdictKind: one of the longest.
//
//ngvet:mirror nightgauge/append.js#EVENTS_VERDICT_RESERVE_BYTES
const EventsVerdictReserveBytes = EventLineMaxBytes

// EventsMarkerReserveBytes is kept for the line of EventTruncatedKind.
//
//ngvet:mirror nightgauge/append.js#EVENTS_MARKER_RESERVE_BYTES
const EventsMarkerReserveBytes = 128

// EventIDMaxBytes bounds a session id and the name of a detail.
//
//ngvet:mirror nightgauge/events.js#EVENT_ID_MAX_BYTES
const EventIDMaxBytes = 128

// EventCodeMaxBytes bounds a string in a detail.
//
//ngvet:mirror nightgauge/events.js#EVENT_CODE_MAX_BYTES
const EventCodeMaxBytes = 256

// EventCountMax is the largest count, and -EventCountMax the smallest, that both languages
// hold exactly.
//
//ngvet:mirror nightgauge/events.js#EVENT_COUNT_MAX
const EventCountMax = 1<<53 - 1

// RunIDMaxBytes bounds a run id, so that every file name made of it stays valid.
//
//ngvet:mirror nightgauge/events.js#RUN_ID_MAX_BYTES
const RunIDMaxBytes = 128

// EventsTurnWait is how long a writer waits for its turn in the lock zone before it gives
// the event up. A turn takes about a millisecond.
//
//ngvet:mirror nightgauge/turn.js#TURN_WAIT as=ms
const EventsTurnWait = 5 * time.Second

// EventsTurnTakeover is how long a turn whose owner cannot be judged stays unquestioned.
//
//ngvet:mirror nightgauge/turn.js#TURN_TAKEOVER as=ms
const EventsTurnTakeover = time.Second

// EventsFileName is the name of a run's events file, beside its output file.
//
//ngvet:mirror nightgauge/events.js#eventsFileName
func EventsFileName(runID string) string {
	return "opencode-events-" + runID + ".jsonl"
}

// EventsLockName is the name, beside the events file, that a writer holds for its turn.
//
//ngvet:mirror nightgauge/turn.js#lockName
func EventsLockName(eventsFile string) string {
	return eventsFile + ".lock"
}

// EventsSealName is the second name, beside the first, of an events file that has entered
// its lock zone.
//
//ngvet:mirror nightgauge/seal.js#sealName
func EventsSealName(eventsFile string) string {
	return eventsFile + ".sealed"
}
