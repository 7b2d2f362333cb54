package plugin

// Environment names that the plugin reads. The process that starts OpenCode sets them.
//
//ngvet:mirror nightgauge/env.js#env
const (
	// EnvOutputFile names the absolute path of the run's output file. The events file
	// and the receipts lie beside it.
	EnvOutputFile = "NIGHTGAUGE_OUTPUT_FILE"

	// EnvRunID names the run; it is part of the name of every file that the run leaves.
	EnvRunID = "NIGHTGAUGE_RUN_ID"

	// EnvNonce names the 128-bit value that binds a sentinel to one run. The plugin
	// removes it from its environment once read, so that a nested run cannot inherit it.
	EnvNonce = "NIGHTGAUGE_OPENCODE_PLUGIN_NONCE"

	// EnvSentinel names the absolute path at which the plugin proves that it loaded. It
	// is removed from the environment together with EnvNonce.
	EnvSentinel = "NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL"

	// EnvPluginPath names the absolute path of EntryFile as it was written for this run.
	EnvPluginPath = "NIGHTGAUGE_OPENCODE_PLUGIN_PATH"

	// EnvHookBin names the absolute path of the nightgauge binary whose hook verbs the
	// plugin calls. There is no default: a search of PATH would let the agent choose
	// its own judge.
	EnvHookBin = "NIGHTGAUGE_HOOK_BIN"

	// The plugin hands the following to its hook verbs, as they were when it loaded.

	// EnvOperatorInstallRisk is set to "1" when OpenCode would run an npm install in a
	// configuration directory that is the operator's own.
	EnvOperatorInstallRisk = "NIGHTGAUGE_OPENCODE_OPERATOR_INSTALL_RISK"

	// EnvPlan names the plan file whose open task boxes stop-verify counts.
	EnvPlan = "NIGHTGAUGE_PLAN"

	// EnvStopVerify holds the operator's verification command.
	EnvStopVerify = "NIGHTGAUGE_STOP_VERIFY"

	// EnvStopVerifyShell is set to "1" to run EnvStopVerify through sh -c.
	EnvStopVerifyShell = "NIGHTGAUGE_STOP_VERIFY_SHELL"

	// EnvGatePolicy names the operator's gate policy file.
	EnvGatePolicy = "NIGHTGAUGE_GATE_POLICY"

	// EnvStage names the stage whose extra gate rules apply.
	EnvStage = "NIGHTGAUGE_STAGE"
)
