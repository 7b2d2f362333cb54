package plugincode_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ngvet/ngvet/internal/js"
	"github.com/ngvet/ngvet/internal/plugincode"
	"github.com/ngvet/ngvet/ngcore/host"
)

// read reads a plugin of several files, whose entry is a.js.
func read(t *testing.T, files map[string]string) (*plugincode.Code, *js.Module) {
	t.Helper()
	dir := t.TempDir()
	prog := js.NewProgram(func(name string) ([]byte, error) {
		rel, err := filepath.Rel(dir, name)
		if src, ok := files[filepath.ToSlash(rel)]; ok && err == nil {
			return []byte(src), nil
		}
		return nil, fs.ErrNotExist
	})
	entry, err := prog.Load(filepath.Join(dir, "a.js"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := host.Lookup(host.Default)
	if err != nil {
		t.Fatal(err)
	}
	return plugincode.Read(prog, table, entry), entry
}

// marks returns what f makes of the argument of every call of mark in m, in order of place.
func marks(m *js.Module, f func(js.Expr) string) []string {
	var calls []*js.Node
	js.Walk(m.Root(), func(n *js.Node) bool {
		if n.Type == js.CallExpr && js.CalleeName(n) == "mark" {
			calls = append(calls, n)
		}
		return true
	})
	slices.SortFunc(calls, func(a, b *js.Node) int { return a.Span.Start - b.Span.Start })
	var list []string
	for _, call := range calls {
		list = append(list, f(js.Expr{Module: m, Node: call.Kids[1]}))
	}
	return list
}

func TestAPI(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, src, want string }{
		{"default import", `import f from "node:fs"; mark(f.writeFile)`, "fs.writeFile"},
		{"namespace", `import * as f from "fs/promises"; mark(f.rm)`, "fs.rm"},
		{"named", `import { spawn as s } from "child_process"; mark(s)`, "child_process.spawn"},
		{"promises", `import { promises } from "node:fs"; mark(promises.rm)`, "fs.rm"},
		{"require", `const { execSync } = require("node:child_process"); mark(execSync)`, "child_process.execSync"},
		{"await import", `const f = await import("node:fs"); const { rm } = f.default.promises; mark(rm)`, "fs.rm"},
		{"alias", `import fs from "fs"; const w = fs.writeFileSync, v = w; mark(v)`, "fs.writeFileSync"},
		{"promisify", `import { promisify } from "util"; import cp from "child_process"; mark(promisify(cp.exec))`, "child_process.exec"},
		{"bind", `const say = console.log.bind(console); mark(say)`, "console.log"},
		{"through a module", `import { w } from "./b.js"; mark(w)`, "fs.writeFile"},
		{"object", `import fs from "fs"; const api = { save: fs.writeFile }; mark(api.save)`, "fs.writeFile"},
		{"brackets", `import fs from "fs"; mark(fs["rm"])`, "fs.rm"},
		{"globals", `const { log } = console; mark(log); mark(fetch); mark(globalThis.process.exit); mark(process.stdout.write); mark(Bun.file)`,
			"console.log fetch process.exit process.stdout.write Bun.file"},
		{"shadowed", `function f(process, fetch) { mark(process.exit); mark(fetch) } const console = {}; mark(console.log)`, "- - -"},
		{"reassigned", `import fs from "fs"; let w = fs.rm; w = other; mark(w)`, "-"},
		{"another package", `import fs from "fs-extra"; import { rm } from "./nowhere"; mark(fs.rm); mark(rm)`, "- -"},
		{"computed", `import fs from "fs"; mark(fs[x])`, "-"},
		{"timers", `import { setTimeout } from "timers/promises"; mark(setTimeout)`, "-"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, m := read(t, map[string]string{"a.js": row.src, "b.js": `import { writeFile } from "node:fs"; export const w = writeFile`})
			got := strings.Join(marks(m, func(e js.Expr) string {
				if name := plugincode.API(c.Prog, e.Module, e.Node); name != "" {
					return name
				}
				return "-"
			}), " ")
			if got != row.want {
				t.Errorf("API = %q, want %q", got, row.want)
			}
		})
	}
}

// reached lists the marks of functions.
func reached(list []plugincode.Reached) string {
	var got []string
	for _, r := range list {
		plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
			if n.Type == js.CallExpr && js.CalleeName(n) == "mark" {
				got = append(got, n.Kids[1].Text)
			}
		})
	}
	slices.Sort(got)
	return strings.Join(slices.Compact(got), " ")
}

func TestHandlersAndReach(t *testing.T) {
	t.Parallel()
	c, _ := read(t, map[string]string{
		"a.js": `
import { tool } from "@opencode-ai/plugin";
import { helper, K } from "./b.js";
import * as lib from "./b.js";
export const P = async (input) => {
  const svc = makeService(() => mark("callback"));
  const safely = (f) => async (...args) => { try { await f(...args) } catch {} };
  return {
    event: async ({ event }) => { helper(); new K().run(); [1].forEach(each); later(); },
    "tool.execute.before": safely(async () => { mark("wrapped"); svc.go(); lib.direct(); }),
    tool: { a: tool({ args: {}, execute: async () => mark("execute") }), b: { execute() { mark("plain") } } },
    "chat.params": params,
  };
};
function params() { function inner() { mark("inner") } inner(); params() }
function each() { mark("each") }
function later() { setTimeout(() => mark("later")) }
function unused() { mark("unused") }
function makeService(cb) { return { go() { mark("go"); cb() }, stop() { mark("stop") } } }`,
		"b.js": `
export function helper() { mark("helper") }
export const direct = () => mark("direct");
export class K { constructor() { mark("new") } run() { mark("run"); this.more() } more() { mark("more") } less() { mark("less") } }`,
	})
	got := map[string]string{}
	for _, h := range c.Handlers {
		got[h.Hook] = strings.TrimSpace(got[h.Hook] + " " + reached(c.Reach(h.Fn)))
	}
	want := map[string]string{
		"event":               "each helper later more new run",
		"tool.execute.before": "callback direct go wrapped callback direct go wrapped", // the wrapper, and what it gets
		"tool":                "execute plain",
		"chat.params":         "inner",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReachNow(t *testing.T) {
	t.Parallel()
	c, _ := read(t, map[string]string{"a.js": `
export default async () => {
  start();
  [1].map(() => mark("map"));
  const later = () => mark("later");
  process.on("exit", () => mark("exit"));
  return { event: async () => mark("event") };
};
function start() { mark("start") }`})
	var got []string
	for _, r := range c.ReachNow(c.Factories[0]) {
		plugincode.Body(r.Fn, plugincode.Now, func(n *js.Node) {
			if n.Type == js.CallExpr && js.CalleeName(n) == "mark" {
				got = append(got, n.Kids[1].Text)
			}
		})
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"map", "start"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPathOf(t *testing.T) {
	t.Parallel()
	c, m := read(t, map[string]string{"a.js": `
import path, { join } from "node:path";
import { homedir, tmpdir } from "node:os";
export const P = async (input, options) => {
  const { directory, project: { worktree } } = input;
  const root = join(directory, ".x");
  mark(directory); mark(worktree); mark(root + "/y"); mark(` + "`${root}/${z}`" + `); mark(process.cwd());
  mark(path.resolve("a")); mark(path.resolve(directory, homedir())); mark(join(homedir(), "b")); mark(tmpdir());
  mark(path.dirname(root)); mark(options.dir ?? directory); mark("/abs"); mark(elsewhere(directory)); mark(cond ? directory : homedir());
  helper({ dir: root, ctx: input }); handed(input);
  return { event: async () => {} };
};
function helper({ dir, ctx }) { mark(dir); mark(ctx) }
function handed(ctx) { mark(ctx.directory); mark(ctx.client); const made = deeper(ctx.worktree); mark(made) }
function deeper(d) { return join(d, "deep") }
let x1 = a ?? a, x2 = x1 ?? x1, x3 = x2 ?? x2, x4 = x3 ?? x3, x5 = x4 ?? x4, x6 = x5 ?? x5, x7 = x6 ?? x6, x8 = x7 ?? x7, x9 = x8 ?? x8; mark(x9);`})
	want := []string{
		"project", "project", "project/.x/y", "project/.x/*", "project", "project/a", "home", "home/b", "temp",
		"project", "project", "", "", "", "project/.x", "", "project", "", "project/deep", "",
	}
	got := marks(m, func(e js.Expr) string {
		p := c.PathOf(e)
		return string(p.Dir) + p.Tail
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestIsOnce(t *testing.T) {
	t.Parallel()
	c, _ := read(t, map[string]string{"a.js": `
let flag = false, text;
const cache = new Map(), config = load(), table = {};
export default async () => {
  const seen = new Set();
  const store = makeStore();
  return {
    event: async (input) => {
      mark("always");
      if (config.enabled) mark("setting");
      if (input.event) { const local = new Map(); if (local.has(1)) mark("local"); }
      if (!flag) { flag = true; mark("once flag"); }
      const hit = cache.get(1); if (!hit) mark("once cache");
      text ??= mark("once default");
      if (seen.has(1)) return;
      table.x = 1;
      mark("once exit");
    },
    config: async () => { if (!table.x) mark("once table"); helper(); store.load(); },
  };
};
function helper() { if (text) return; mark("once helper") }
function makeStore() { let loaded = false; return { load() { if (!loaded) { loaded = true; mark("once store") } let own; own ??= mark("own") } } }`})
	for _, h := range c.Handlers {
		for _, r := range c.Reach(h.Fn) {
			plugincode.Body(r.Fn, plugincode.All, func(n *js.Node) {
				if n.Type != js.CallExpr || js.CalleeName(n) != "mark" {
					return
				}
				if want := strings.HasPrefix(n.Kids[1].Text, "once"); c.IsOnce(r, n) != want {
					t.Errorf("IsOnce(%s) = %t", n.Kids[1].Text, !want)
				}
			})
		}
	}
}
