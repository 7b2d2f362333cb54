// Package gate decides whether one tool call of an OpenCode agent may run.
//
// [Decide] is a function of a policy, a call and a workspace. It starts no process and
// writes nothing; of the file system it reads only what names resolve to. Its one
// invariant: what it cannot understand it denies. A shell command is parsed, every simple
// command in it is judged where it stands, and a word whose value matters but is known
// only when the command runs is a reason to deny.
//
// What it does not promise: a program that the agent wrote, or that an allowed command
// starts, runs unjudged, and a path can change between the verdict and its use. A gate
// keeps an agent from destroying things by mistake or by persuasion; against hostile code
// run the agent in a sandbox besides (docs/gate.md).
package gate
