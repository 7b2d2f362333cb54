package gate

// Step is one simple command of an explained call, in the order of judging.
type Step struct {
	Words   []string // what the gate took its words for
	Verdict Verdict  // the denial that this command caused, or the zero Verdict
}

// Explain judges a call of the bash tool as Decide does and tells every simple command
// that was found, in whatever wrapper, substitution or nested program it stands.
func Explain(p *Policy, command string, ws Workspace) ([]Step, Verdict) {
	var steps []Step
	d := decider{policy: p, ws: ws, trace: func(s Step) { steps = append(steps, s) }}
	v := d.decide(Call{Tool: "bash", Args: map[string]any{"command": command}})
	return steps, v
}

// explain reports a judged command to the trace. before is the verdict that stood when
// its judging began.
func (s *shell) explain(argv []string, before Verdict) {
	step := Step{}
	for _, word := range argv {
		step.Words = append(step.Words, readable(word))
	}
	if before.Decision == "" {
		step.Verdict = s.verdict
	}
	s.trace(step)
}
