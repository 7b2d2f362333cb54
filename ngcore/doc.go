// Package ngcore starts OpenCode runs that can be trusted without anybody watching, and
// reads what they leave.
//
// OpenCode fails open: a plugin that does not load leaves no trace, and the run goes on
// without its gate. So the plugin is carried in the binary ([Files], [Write]), proves that
// it loaded ([NewNonce], [NewHandshake]) and that it was asked about every tool call
// ([ReadReceipts], [CheckReceipts]), and reports to an events file ([AppendRunEvent],
// [ReadRunEvents], [WaitForRunEvent], [Tail]).
//
// The one invariant: doubt is an error. A file that is missing where it must not be, that
// other hands wrote, or that says something else than expected never reads as success. Bad
// input never panics, and never takes good input with it.
//
// Every file that a run leaves lies in a directory that the agent shares. All are opened
// without following links, without blocking, and only if they are regular files; see
// [UnsafeFileError].
//
// The package does not start OpenCode; ngcore/stage does. It does not decide about tool
// calls; ngcore/gate does. It promises nothing about network file systems.
package ngcore
