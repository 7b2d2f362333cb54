// Package stage runs OpenCode once, unattended, and proves what the run was: that the
// plugin loaded, that it judged every tool call, and how the work ended.
//
// OpenCode goes on ungated, with exit status 0, when a plugin does not load (HOST.md
// section 1). The invariant of this package is therefore that a [Result] has the class [OK]
// only when a sentinel, one receipt for each tool call and a verdict of the stop-verify
// child say so; everything that cannot be shown has a class of its own.
//
// It does not promise that the agent cannot do harm: that is the gate's policy. Code that
// runs inside the OpenCode process, such as a plugin of the operator's own configuration,
// can forge all of the evidence. Run refuses such code in the work tree, and only there.
//
// Run needs process groups and is refused on Windows.
package stage
