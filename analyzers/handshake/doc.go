// Package handshake finds Go code whose proof that the plugin gates a run proves less than
// it seems.
//
// OpenCode fails open: a plugin that does not load leaves no trace, and the run exits 0.
// All that tells a gated run from an open one is the handshake of ngcore: a fresh nonce, no
// old sentinel, VerifyLoaded at the first step, VerifyNotLate at exit. Each is easily
// half-done, and a half-done handshake passes every test with a plugin that works.
//
// The check follows values and the flow of control within one package, into helpers,
// function literals, method values and generic functions. What a helper in another package
// of the main module, or of a module that is replaced by a directory, does comes from facts
// about that package: a wrapper of VerifyLoaded there counts as VerifyLoaded. Test files are
// not looked at.
//
// # handshake/dropped
//
// The result of VerifyLoaded, VerifyNotLate, a method of Handshake, or of a function that
// returns one of theirs, is not looked at. The run goes on ungated.
//
// Bad:
//
//	_ = ngcore.VerifyLoaded(cfg)
//
// Good:
//
//	if err := ngcore.VerifyLoaded(cfg); err != nil {
//		return err
//	}
//
// An error that is only printed, with log, log/slog or fmt, is dropped as well: what follows
// is the same with it and without.
//
// # handshake/half
//
// A package proves that the plugin loaded and never that it was in time, or the other way
// round; or a function returns success between the end of the process and the check for
// lateness. Tools may have run before the plugin gated them, or the run may have had no
// plugin at all.
//
// Bad:
//
//	err := cmd.Wait()
//	if err == nil {
//		return nil
//	}
//	return errors.Join(err, ngcore.VerifyNotLate(cfg, firstToolUse))
//
// Good:
//
//	err := cmd.Wait()
//	return errors.Join(err, ngcore.VerifyNotLate(cfg, firstToolUse))
//
// An exported function that only returns one verdict is a wrapper, and left alone. So is a
// check for lateness under a condition, which may be whether there is a handshake at all.
//
// # handshake/nonce
//
// The nonce is a constant, is made once when the program starts, or once for a loop that
// starts OpenCode in every turn. A sentinel of an earlier run then passes for this one's.
//
// Bad:
//
//	cfg := ngcore.HandshakeConfig{Nonce: "run", SentinelPath: path, PluginPath: entry}
//
// Good:
//
//	nonce, err := ngcore.NewNonce()
//	cfg := ngcore.HandshakeConfig{Nonce: nonce, SentinelPath: path, PluginPath: entry}
//
// A loop counts when nonce and start are in one function. How random another source of
// nonces is, is not judged.
//
// # handshake/stale
//
// A process that gets the environment of a handshake is started, and no DeleteStaleSentinel
// comes before it in the function or in one of the package that leads to it. The sentinel
// of an earlier run with the same id is then judged in place of this one's: a run that
// should say "the plugin did not load" says "wrong nonce" at best.
//
// Bad:
//
//	cmd.Env = cfg.ChildEnv(os.Environ())
//	err := cmd.Start()
//
// Good:
//
//	if err := ngcore.DeleteStaleSentinel(cfg.SentinelPath); err != nil {
//		return err
//	}
//	cmd.Env = cfg.ChildEnv(os.Environ())
//	err := cmd.Start()
//
// A command that another function prepares is not seen. Callers in other packages are not
// looked for: delete in the package that starts the process.
//
// # handshake/nested
//
// A package that knows the handshake starts OpenCode with the environment of its own
// process, whole: no Env, or one made of os.Environ. When it runs inside a gated run itself,
// its OpenCode answers for the outer run and overwrites that one's sentinel.
//
// Bad:
//
//	cmd := exec.Command("opencode", "models")
//	out, err := cmd.Output()
//
// Good:
//
//	cmd := exec.Command("opencode", "models")
//	cmd.Env = ngcore.HandshakeConfig{}.ChildEnv(os.Environ())
//	out, err := cmd.Output()
//
// A command whose name is not the constant "opencode" or a path that ends in it, one that
// is handed to another function, and an environment that a function of one's own made are
// left alone.
//
// # handshake/exists
//
// A sentinel is judged by os.Stat or os.Lstat alone: that it is there, or how old it is.
// An earlier run, or the agent, may have left it.
//
// Bad:
//
//	if _, err := os.Stat(cfg.SentinelPath); err == nil {
//		gated = true
//	}
//
// Good:
//
//	gated = ngcore.VerifyLoaded(cfg) == nil
//
// Looking whether it is there before the content is verified or read, in the same function
// or in one of the package that calls it, is fine.
package handshake
