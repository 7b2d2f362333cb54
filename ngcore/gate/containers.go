package gate

import (
	"slices"
	"strings"
)

// containerValues are options of docker run, docker exec and docker compose that take the
// next word.
var containerValues = []string{
	"-v", "--volume", "--mount", "-e", "--env", "--env-file", "-w", "--workdir", "-u", "--user", "-p", "--publish", "--name",
	"--network", "--net", "--entrypoint", "--platform", "-h", "--hostname", "--memory", "-m", "--cpus", "--label", "-l",
	"--add-host", "--restart", "--pull", "--tmpfs", "--shm-size", "--gpus", "--device", "--cap-add", "--cap-drop",
	"--security-opt", "--ulimit", "--dns", "--expose", "--link", "--log-driver", "--log-opt", "--ipc", "--pid", "--userns",
	"-f", "--file", "--project-name", "--profile", "--project-directory", "-H", "--host", "-c", "--context", "--index", "--scale", "--timeout",
}

// runContainer judges docker and its kin: what a container may reach of this machine, and
// what runs in it.
func runContainer(c *command) result {
	_, operands := splitOptions(c.args, containerValues)
	if c.name == "docker-compose" {
		inner := *c
		inner.name, inner.args = "docker", append([]string{"compose"}, c.args...)
		return runContainer(&inner)
	}
	compose := len(operands) > 0 && operands[0] == "compose"
	if compose {
		operands = operands[1:]
	}
	if len(operands) > 0 && operands[0] == "container" {
		operands = operands[1:]
	}
	if len(operands) == 0 || !slices.Contains([]string{"run", "exec", "create"}, operands[0]) {
		c.plain()
		return unchanged(c.env, anyText)
	}
	c.policyRule()
	inner := c.afterOperand(operands[0])
	mounted := c.mounts()
	if len(inner) > 0 {
		c.runContained(inner, operands[0] == "exec" || compose || mounted)
	}
	return unchanged(c.env, anyText)
}

// afterOperand returns what follows the image or the container: the command in it.
func (c *command) afterOperand(verb string) []string {
	i := slices.Index(c.args, verb) + 1
	var entrypoint []string
	for ; i < len(c.args); i++ {
		arg := c.args[i]
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--entrypoint="); ok {
			entrypoint = []string{value}
		}
		if arg == "--entrypoint" && i+1 < len(c.args) {
			entrypoint = []string{c.args[i+1]}
		}
		if takesValue(arg, containerValues) {
			i++
		}
	}
	if i >= len(c.args) {
		return nil
	}
	return append(entrypoint, c.args[i+1:]...)
}

// mounts judges what a container gets of this machine: a directory that it may write is
// out of the gate's sight. It reports whether there is any.
func (c *command) mounts() (any bool) {
	for i, arg := range c.args {
		if has([]string{arg}, "--privileged") || arg == "--pid=host" || arg == "--device" {
			c.deny(CodeSystemChange, c.line()+" gives the container the machine itself. Run it without "+arg+".")
		}
		value := ""
		switch {
		case (arg == "-v" || arg == "--volume" || arg == "--mount") && i+1 < len(c.args):
			value = c.args[i+1]
		case strings.HasPrefix(arg, "--volume="), strings.HasPrefix(arg, "--mount="):
			_, value, _ = strings.Cut(arg, "=")
		}
		any = any || value != "" || strings.HasPrefix(arg, "--volumes-from")
		if source := mountSource(value); source != "" {
			c.access(source, accessWrite)
			if strings.HasSuffix(source, ".sock") {
				c.deny(CodeSystemChange, c.line()+" gives the container control over the machine's services.")
			}
		}
	}
	return any
}

// runContained judges the command in a container. A new container without mounts holds
// nothing to lose.
func (c *command) runContained(argv []string, keeps bool) {
	saved := c.fresh
	c.fresh = c.fresh || !keeps
	c.runForeign(argv)
	c.fresh = saved
}

// mountSource returns the host's directory of a mount, or "" for a named volume.
func mountSource(value string) string {
	if strings.Contains(value, "source=") || strings.Contains(value, "src=") {
		for part := range strings.SplitSeq(value, ",") {
			if key, path, _ := strings.Cut(part, "="); key == "source" || key == "src" {
				value = path + ":"
			}
		}
	}
	source, _, ok := strings.Cut(value, ":")
	if !ok || !strings.ContainsAny(source, "/.~") && !isDynamic(source) {
		return ""
	}
	return source
}
