package nightgauge

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/plugin"
)

func TestVerificationThatHangsHasAVerdict(t *testing.T) {
	t.Parallel()
	limit, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	call := stopVerify{workdir: t.TempDir(), getenv: func(string) string {
		cancel() // the time is up, and the verification has not come to its end
		<-release
		return ""
	}}
	want := verdict{Verdict: plugin.VerdictTimeout, Code: codeVerifyTimeout}
	if diff := cmp.Diff(want, call.verifyWithin(limit, t.Context())); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
}
