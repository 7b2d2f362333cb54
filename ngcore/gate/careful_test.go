package gate

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "write careful_rules.go from careful.json")

// careful.json is the policy that people read and copy; careful_rules.go is the same as Go.
func TestCarefulSource(t *testing.T) {
	data, err := os.ReadFile("careful.json")
	if err != nil {
		t.Fatal(err)
	}
	file, err := decodePolicy(data)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("careful_rules.go", rulesSource(t, file.policyRules), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(file.policyRules, carefulRules(), cmpopts.EquateEmpty()); diff != "" || len(file.Stages) != 0 {
		t.Errorf("careful_rules.go is not careful.json, run go generate (-json +go)\n%s", diff)
	}
}

func rulesSource(t *testing.T, rules policyRules) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("// Code generated from careful.json by go generate; DO NOT EDIT.\n\npackage gate\n\n")
	list := func(name, typ string, n int, row func(i int) string) {
		fmt.Fprintf(&b, "var %s = %s{\n", name, typ)
		for i := range n {
			b.WriteString(row(i) + ",\n")
		}
		b.WriteString("}\n\n")
	}
	ruleRow := func(rules []ruleFile) func(int) string {
		return func(i int) string {
			return strings.TrimPrefix(strings.ReplaceAll(fmt.Sprintf("%#v", rules[i]), "gate.", ""), "ruleFile")
		}
	}
	list("carefulDenials", "[]ruleFile", len(rules.Commands.Deny), ruleRow(rules.Commands.Deny))
	list("carefulExceptions", "[]ruleFile", len(rules.Commands.Allow), ruleRow(rules.Commands.Allow))
	names := slices.Sorted(maps.Keys(rules.ValueOptions))
	list("carefulValueOptions", "table[[]string]", len(names), func(i int) string {
		return fmt.Sprintf("{%q, %#v}", names[i], rules.ValueOptions[names[i]])
	})
	fmt.Fprintf(&b, "var carefulTools = %s\n\n", strings.ReplaceAll(fmt.Sprintf("%#v", rules.Tools), "gate.", ""))
	fmt.Fprintf(&b, "var carefulPaths = %s\n\n", strings.ReplaceAll(fmt.Sprintf("%#v", rules.Paths), "gate.", ""))
	fmt.Fprintf(&b, "const carefulReadOnly = %v\n", rules.ReadOnly)
	source, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return source
}
