package nightgauge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOperatorArgv(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command string
		shell   bool
		want    []string // nil: refused
	}{
		{"words", "go test ./...", false, []string{"go", "test", "./..."}},
		{"spaces around", "  make\tcheck \n", false, []string{"make", "check"}},
		{"single quotes", `grep -c 'a b $X *' f`, false, []string{"grep", "-c", "a b $X *", "f"}},
		{"double quotes", `echo "a \"b\" \\ c"`, false, []string{"echo", `a "b" \ c`}},
		{"quotes inside a word", `x--y='a b'"c d"e`, false, []string{"x--y=a bc de"}},
		{"escaped", `echo \$HOME \* a\ b`, false, []string{"echo", "$HOME", "*", "a b"}},
		{"empty word", `test ''`, false, []string{"test", ""}},
		{"comment", "make check # all of it", false, []string{"make", "check"}},
		{"braces of find", "find . -exec true {} +", false, []string{"find", ".", "-exec", "true", "{}", "+"}},
		{"assignment as argument", "make CC=gcc", false, []string{"make", "CC=gcc"}},
		{"JSON", `["go", "vet", "a b", "$X", ""]`, false, []string{"go", "vet", "a b", "$X", ""}},
		{"JSON after space", ` ["true"]`, false, []string{"true"}},
		{"shell", "make && echo $HOME | cat", true, []string{"sh", "-c", "make && echo $HOME | cat"}},
		{"shell gets JSON as it is", `["a"]`, true, []string{"sh", "-c", `["a"]`}},

		{"nothing", " ", false, nil},
		{"only a comment", "# make", false, nil},
		{"list", "make; make check", false, nil},
		{"lines", "make\nmake check", false, nil},
		{"and", "make && true", false, nil},
		{"pipe", "make | tee log", false, nil},
		{"background", "make &", false, nil},
		{"negation", "! make", false, nil},
		{"time", "time make", false, nil},
		{"redirection", "make >log", false, nil},
		{"descriptor redirection", "make 2>&1", false, nil},
		{"here-string", "cat <<<x", false, nil},
		{"assignment in front", "CC=gcc make", false, nil},
		{"only an assignment", "CC=gcc", false, nil},
		{"variable", "echo $HOME", false, nil},
		{"variable in quotes", `echo "$HOME"`, false, nil},
		{"substitution", "echo $(id)", false, nil},
		{"backquotes", "echo `id`", false, nil},
		{"process substitution", "cat <(id)", false, nil},
		{"arithmetic", "echo $((1+1))", false, nil},
		{"dollar quotes", `echo $'a\nb'`, false, nil},
		{"localised quotes", `echo $"a"`, false, nil},
		{"pattern", "ls *.go", false, nil},
		{"question mark", "ls ?", false, nil},
		{"bracket", "ls [ab]", false, nil},
		{"extended pattern", "ls !(a)", false, nil},
		{"braces", "echo {a,b}", false, nil},
		{"home", "ls ~/x", false, nil},
		{"group", "{ make; }", false, nil},
		{"subshell", "(make)", false, nil},
		{"loop", "while true; do :; done", false, nil},
		{"function", "f() { :; }", false, nil},
		{"open quote", "echo 'a", false, nil},
		{"JSON that is cut", `["a"`, false, nil},
		{"JSON with a number", `["a", 1]`, false, nil},
		{"JSON with null", `["a", null]`, false, nil},
		{"JSON without a program", `[]`, false, nil},
		{"JSON with an empty program", `[""]`, false, nil},
		{"JSON and more", `["a"] b`, false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := operatorArgv(tt.command, tt.shell)
			if (err != nil) != (tt.want == nil) {
				t.Fatalf("operatorArgv(%q) = %q, %v", tt.command, got, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("operatorArgv(%q) (-want +got):\n%s", tt.command, diff)
			}
		})
	}
}

func FuzzOperatorArgv(f *testing.F) {
	for _, seed := range []string{"go test ./...", `["a"]`, `echo "a" 'b'\ c`, "a $(b)", "~ {a,b} *"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		argv, err := operatorArgv(command, false)
		if err == nil && len(argv) == 0 {
			t.Errorf("operatorArgv(%q) is neither a command nor an error", command)
		}
	})
}
