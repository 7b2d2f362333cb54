// Package eventdetail keeps free text out of run events.
//
// A detail of an event holds ids, counts and codes. What the user or the model wrote must
// never get there: events are kept and sent where transcripts are not. The writers refuse
// what breaks this at run time, and then the event is lost; this check finds it before.
//
// In Go it looks at ngcore.Event.Detail and at every type marked //ngvet:retention: in
// composite literals, assignments to elements, variables and fields that hold the map, and
// functions, methods and literals that build or fill it. A value may be a number, a bool, a
// constant code, a value of a defined string type (what is converted to one is checked), a
// result of SanitizeEventID or strconv, or of a function marked //ngvet:code, or a variable
// that holds nothing else on any path to where it is read. What an exported function of
// another package of the module puts into a map is reported where it is called, with the
// place of the fault. What is called through an interface is not followed, nor are maps out
// of other modules. Tests are left alone.
//
// In JavaScript it looks at the calls of appendEvent in the modules that a package embeds,
// if that package has any ngvet directive: appendEvent(kind, {sessionID, child, detail}).
//
// # eventdetail/freetext
//
// A string may be free text. It is a constant that has not the form of a code, or is known
// only at run time, or in JavaScript comes from the args, patterns, metadata, parts or
// output that the host hands to a hook.
//
// Bad:
//
//	Detail: map[string]any{"skill": call.Name}
//
// Good:
//
//	Detail: map[string]any{"skill": ngcore.SanitizeEventID(call.Name)}
//
// At run time the writer refuses a text with spaces and drops the event, and keeps a short
// one: text of the model in telemetry.
//
// # eventdetail/nonscalar
//
// A value is neither a number, a bool nor a string. It is a map, a slice, a pointer, an
// error or an any, and the writer refuses the event. Keep a count or a code of it.
//
// Bad:
//
//	Detail: map[string]any{"error": err}
//
// Good:
//
//	Detail: map[string]any{"error": classify(err)} // classify is marked //ngvet:code
//
// # eventdetail/bannedkey
//
// The name of a detail stands for free text, or is known only at run time. Such names are
// text, prompt, content, output, message, summary, reason and the like, in any case. The
// writer refuses the event.
//
// Bad:
//
//	appendEvent("skill", { sessionID, detail: { text: output.title } });
//
// Good:
//
//	appendEvent("skill", { sessionID, detail: { title_length: output.title.length } });
//
// # eventdetail/unknownkind
//
// The kind is none that an event may have, or in JavaScript is not a constant. The writer
// refuses the event, so whoever waits for it waits until the bound.
//
// Bad:
//
//	ngcore.Event{Kind: "finished"}
//
// Good:
//
//	ngcore.Event{Kind: "stop_verify"}
package eventdetail
