package gate_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ngvet/ngvet/ngcore/gate"
)

const operatorPolicy = `{
  "version": 1,
  "tools": {"allow": ["task", "github_*"], "deny": ["webfetch"]},
  "commands": {
    "allow": [{"run": ["terraform apply"]}],
    "deny": [{"run": ["make deploy*"], "instead": "Use make build."}, {"run": ["ls"], "with": ["-R"], "code": "secret"}]
  },
  "paths": {"read": ["/srv/data"], "write": ["/srv/out"], "protect": ["Makefile", "ci/"], "secret": ["*.token"], "not_secret": [".env.test"]},
  "stages": {
    "review": {"read_only": true, "tools": {"deny": ["edit"]}},
    "build": {"commands": {"deny": [{"run": ["git push"]}]}}
  }
}`

func TestOperatorPolicy(t *testing.T) {
	t.Parallel()
	ws := newWorkspace(t)
	edit := gate.Call{Tool: "edit", Args: map[string]any{"filePath": "src/a.go"}}
	for _, tc := range []struct {
		name, stage string
		call        gate.Call
		want        string
	}{
		{"allowed tool", "", gate.Call{Tool: "task", Args: map[string]any{}}, "allow operator_rule"},
		{"allowed tools by their beginning", "", gate.Call{Tool: "github_create_issue"}, "allow operator_rule"},
		{"other tools stay unknown", "", gate.Call{Tool: "gitlab_x"}, "deny unknown_tool"},
		{"denied tool", "", gate.Call{Tool: "webfetch", Args: map[string]any{"url": "https://example.org"}}, "deny tool_denied"},
		{"allowed command", "", bash("terraform apply -auto-approve"), "allow allowed"},
		{"its neighbour", "", bash("terraform destroy"), "deny destroys_data"},
		{"an exception is no pass for the rest", "", bash("terraform apply && rm -rf ~"), "deny destroys_files"},
		{"denied command", "", bash("make deploy-prod"), "deny command_denied"},
		{"denied by an option", "", bash("ls -lR"), "deny secret"},
		{"the same without it", "", bash("ls -l"), "allow allowed"},
		{"readable root", "", bash("cat /srv/data/x"), "allow allowed"},
		{"readable is not writable", "", bash("touch /srv/data/x"), "deny outside_workspace"},
		{"writable root", "", bash("touch /srv/out/x"), "allow allowed"},
		{"protected file", "", bash("echo x >> Makefile"), "deny self_protection"},
		{"protected directory", "", bash("rm ci/x"), "deny self_protection"},
		{"secret of the operator", "", bash("cat a.token"), "deny secret"},
		{"no secret to the operator", "", bash("cat .env.test"), "allow allowed"},
		{"no stage", "", edit, "allow allowed"},
		{"a stage denies a tool", "review", edit, "deny tool_denied"},
		{"a stage that only reads", "review", bash("echo x > src/b.go"), "deny read_only"},
		{"and may read", "review", bash("cat src/a.go"), "allow allowed"},
		{"the rules of another stage", "build", bash("git push"), "deny command_denied"},
		{"the top level holds in every stage", "build", bash("make deploy"), "deny command_denied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			policy, err := gate.ParsePolicy([]byte(operatorPolicy), tc.stage)
			if err != nil {
				t.Fatal(err)
			}
			if v := gate.Decide(policy, tc.call, ws); verdictOf(v) != tc.want {
				t.Errorf("verdict %s (%s), want %s", verdictOf(v), v.Reason, tc.want)
			}
		})
	}
}

func TestParsePolicyRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, policy, stage, want string }{
		{"nothing", ``, "", "EOF"},
		{"no version", `{}`, "", "version is 0: expected 1"},
		{"a later version", `{"version":2}`, "", "version is 2: expected 1"},
		{"an unknown key", `{"version":1,"tool":{}}`, "", "tool"},
		{"a key in another case", `{"version":1,"Tools":{}}`, "", "Tools"},
		{"a duplicate key", `{"version":1,"version":1}`, "", "duplicate"},
		{"text after the object", `{"version":1} x`, "", "invalid"},
		{"every tool", `{"version":1,"tools":{"allow":["*"]}}`, "", "expected a name"},
		{"a star inside", `{"version":1,"tools":{"allow":["a*b"]}}`, "", "expected a name"},
		{"a harmless tool", `{"version":1,"tools":{"deny":["todowrite"]}}`, "", "cannot be denied"},
		{"harmless tools by their beginning", `{"version":1,"tools":{"deny":["todo*"]}}`, "", "cannot be denied"},
		{"a command rule without a command", `{"version":1,"commands":{"deny":[{"run":[]}]}}`, "", "without run"},
		{"an empty command", `{"version":1,"commands":{"deny":[{"run":[" "]}]}}`, "", "empty run"},
		{"a malformed pattern", `{"version":1,"commands":{"deny":[{"run":["a [b"]}]}}`, "", "syntax error"},
		{"an option that is none", `{"version":1,"commands":{"deny":[{"run":["a"],"with":["f"]}]}}`, "", "expected an option"},
		{"an unknown code", `{"version":1,"commands":{"deny":[{"run":["a"],"code":"nope"}]}}`, "", "expected one of"},
		{"a relative root", `{"version":1,"paths":{"write":["out"]}}`, "", "expected a clean path"},
		{"the root itself", `{"version":1,"paths":{"write":["/"]}}`, "", "expected a clean path"},
		{"an empty root", `{"version":1,"paths":{"read":[""]}}`, "", "expected a clean path"},
		{"a pattern of several names", `{"version":1,"paths":{"protect":["a/b"]}}`, "", "pattern of one name"},
		{"an unknown stage", `{"version":1,"stages":{"build":{},"review":{}}}`, "reveiw", "expected one of build, review"},
		{"a fault in another stage", `{"version":1,"stages":{"build":{},"x":{"tools":{"allow":["*"]}}}}`, "build", `stage "x"`},
		{"too large", `{"version":1}` + strings.Repeat(" ", gate.PolicyMaxBytes), "", "expected at most"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if _, err := gate.ParsePolicy([]byte(tc.policy), tc.stage); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

func TestParsePolicyStageWithoutStages(t *testing.T) {
	t.Parallel()
	if _, err := gate.ParsePolicy([]byte(`{"version":1}`), "build"); err != nil {
		t.Errorf("a file without stages serves every stage: %v", err)
	}
}

// TestCarefulIsValid shows that the embedded policy obeys the rules for an operator's.
func TestCarefulIsValid(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("careful.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.ParsePolicy(data, ""); err != nil {
		t.Error(err)
	}
}
