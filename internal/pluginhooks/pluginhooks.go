// Package pluginhooks tells hooks objects of plugins from other objects.
//
// OpenCode takes whatever the exported functions of a legacy entry return. A check that
// accuses an object needs to know that its author meant hooks.
package pluginhooks

import (
	"strings"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/ngcore/host"
)

// Meant reports whether an object was meant as hooks: it has the dotted name of a hook or
// event, or a plain one with the kind of value that the hook has. A helper may well return
// {tool: "bash"} or {config: {}}.
func Meant(prog *js.Program, table *host.Table, o js.HooksObject) bool {
	for _, p := range o.Props {
		hook, known := table.Hook(p.Key)
		_, later := table.LaterHook(p.Key)
		_, event := table.Event(p.Key)
		if (known || later || event) && strings.Contains(p.Key, ".") {
			return true
		}
		got := prog.ShapeOf(p.Value)
		if known && (hook.Object && got == js.ShapeObject || !hook.Object && got == js.ShapeFunction) {
			return true
		}
	}
	return false
}
