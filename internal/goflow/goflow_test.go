package goflow_test

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/ngvet/ngvet/internal/goflow"
)

func called(name string) func(ssa.CallInstruction) bool {
	return func(call ssa.CallInstruction) bool { return goflow.Name(call) == "mark."+name }
}

func argumentOf(name string) func(ssa.CallInstruction) ssa.Value {
	return func(call ssa.CallInstruction) ssa.Value {
		if goflow.Name(call) != "mark."+name {
			return nil
		}
		return goflow.Arg(call, 0)
	}
}

type fact struct{ goflow.Answers }

var asked = goflow.Asked{
	Questions: []*goflow.Question{
		{Name: "acts", Is: called("Act")},
		{Name: "gives", Is: called("Value"), Result: true},
	},
	Uses: []*goflow.Use{
		{Name: "takes", Of: argumentOf("Take")},
		{Name: "drinks", Of: argumentOf("Drink"), Flow: true},
	},
}

// asker reports the answers about each function where it is declared, by exported facts and
// for all others by what a call of it says, and the questions of package mark at each call.
var asker = &analysis.Analyzer{
	Name:      "asker",
	Doc:       "asks questions",
	Requires:  []*analysis.Analyzer{goflow.SSA},
	FactTypes: []analysis.Fact{new(fact)},
	Run: func(pass *analysis.Pass) (any, error) {
		if goflow.InStandard(pass) {
			return nil, nil
		}
		pkg := goflow.Of(pass, new(fact))
		asked := asked
		asked.More = func(fn *ssa.Function) []string {
			if pkg.IsPure(fn) {
				return []string{goflow.PureFunction}
			}
			return nil
		}
		for _, fn := range pkg.Funcs {
			for call := range goflow.Calls(fn) {
				report(pass, pkg, fn, call)
			}
		}
		pkg.Export(asked)
		return nil, nil
	},
}

func report(pass *analysis.Pass, pkg *goflow.Package, fn *ssa.Function, call ssa.CallInstruction) {
	say := func(text string) { pass.Report(analysis.Diagnostic{Pos: goflow.Node(pass, call).Pos(), Message: text}) }
	choose := func(is bool, yes, no string) {
		if is {
			say(yes)
		} else {
			say(no)
		}
	}
	switch goflow.Name(call) {
	case "mark.Compare":
		choose(pkg.Same(goflow.Arg(call, 0), goflow.Arg(call, 1)), "same", "different")
	case "mark.Then":
		for first := range goflow.Calls(fn) {
			if called("First")(first) {
				choose(goflow.After(first, call, isStop), "after", "never after")
				choose(goflow.Always(first, call), "always", "not always")
			}
		}
	case "mark.Sink":
		for source := range goflow.Calls(fn) {
			if called("Source")(source) {
				choose(goflow.Reaches(source.Value())[goflow.Arg(call, 0)], "reached", "clean")
			}
		}
	case "mark.Act", "mark.Value", "mark.Take", "mark.Drink":
	default:
		if !token.IsExported(fn.Name()) && strings.HasPrefix(fn.Name(), "ask") {
			say(answers(pkg, call))
		}
	}
}

func isStop(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && called("Stop")(call)
}

func answers(pkg *goflow.Package, call ssa.CallInstruction) string {
	out := []string{"nothing"}
	for _, q := range asked.Questions {
		if pkg.Performs(call, q) {
			out = append(out, q.Name)
		}
	}
	for _, use := range asked.Uses {
		if v := pkg.Used(call, use); v != nil {
			text, _ := goflow.Text(v)
			out = append(out, use.Name+" "+text)
		}
	}
	return strings.Join(out[min(len(out)-1, 1):], ", ")
}

func TestFlow(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), asker, "values", "answers", "asker")
}

func TestFactsOfTwoChecksDiffer(t *testing.T) {
	t.Parallel()
	type other struct{ goflow.Answers }
	twin := *asker
	twin.Name, twin.FactTypes = "twin", []analysis.Fact{new(other)}
	if err := analysis.Validate([]*analysis.Analyzer{asker, &twin}); err != nil {
		t.Error(err)
	}
	twin.FactTypes = slices.Clone(asker.FactTypes)
	if err := analysis.Validate([]*analysis.Analyzer{asker, &twin}); err == nil {
		t.Error("two analyzers with one type of fact are valid, want an error")
	}
}
