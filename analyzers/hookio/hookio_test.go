package hookio_test

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/analyzers/hookio"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

func TestEveryRuleIsDocumented(t *testing.T) {
	t.Parallel()
	if missing := hookio.Check.Undocumented(); len(missing) > 0 {
		t.Errorf("doc.go has no section for %v", missing)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	findingtest.Run(t, hookio.Check, "testdata/*")
}

func TestReassignFix(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, hook, src, want string }{
		{"args that start from the old ones", "tool.execute.before", `output.args = { ...output.args, a: 1 }`, `Object.assign(output.args, { ...output.args, a: 1 })`},
		{"args from nothing keep no member", "tool.execute.before", `output.args = { a: 1 }`, ``},
		{"args from a variable", "tool.execute.before", `const next = { a: 1 }; output.args = next`, ``},
		{"array", "experimental.chat.system.transform", `output.system = ["a"]`, `output.system.splice(0, output.system.length, ...["a"])`},
		{"made from itself", "experimental.chat.messages.transform", `output.messages = output.messages.filter((m) => m)`, `output.messages.splice(0, output.messages.length, ...output.messages.filter((m) => m))`},
		{"an object that is no array", "chat.message", `output.message = { role: "user" }`, ``},
		{"the value of the assignment is used", "command.execute.before", `const x = output.parts = []`, ``},
		{"multi-byte text before", "command.execute.before", `/* 日本語 */ output.parts = []`, `/* 日本語 */ output.parts.splice(0, output.parts.length, ...[])`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			head, tail := fmt.Sprintf("export const P = async () => ({ %q: async (input, output) => { ", row.hook), " } })\n"
			src := head + row.src + tail
			want := src
			if row.want != "" {
				want = head + row.want + tail
			}
			findings := findingtest.Check(t, hookio.Check, src, finding.Options{})
			if len(findings) != 1 || findings[0].Rule != "reassign" {
				t.Fatalf("found %v, want one reassign", findings)
			}
			if diff := gocmp.Diff(want, findingtest.Fixed(src, findings)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// hookname reports a version without tables: this check has nothing to say then.
func TestUnknownHost(t *testing.T) {
	t.Parallel()
	const src = `export const P = async () => ({ "tool.execute.before": async (i, o) => { o.args = {} } })`
	if found := findingtest.Check(t, hookio.Check, src, finding.Options{Host: "9.0.0"}); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}

func FuzzCheck(f *testing.F) { findingtest.Fuzz(f, hookio.Check, "testdata/*/*") }
