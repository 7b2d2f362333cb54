package wrapped

import (
	"context"
	"os/exec"

	"helper"
)

func run(ctx context.Context) ([]byte, error) {
	return exec.CommandContext(ctx, helper.Name, "run").Output() // want `this waits until every process`
}

func prepared() error {
	return helper.Command("run").Run() // OK: what helper sets is not in sight
}
