package hookasync_test

import (
	"strings"
	"testing"

	"github.com/ngvet/ngvet/analyzers/hookasync"
	"github.com/ngvet/ngvet/internal/finding"
	"github.com/ngvet/ngvet/internal/finding/findingtest"
)

const imports = `import fs from "fs"; import fsp from "fs/promises"; import cp from "child_process"; import { promisify } from "util";
const f = async () => { await fetch("x", { signal }) }
const guard = async (o) => { if (o.args.c) throw new Error("x") }
const fail = async () => { throw new Error("x") }
`

// spellings holds, by the hook that a body stands in, ways of writing a fault and what only
// looks like one, with the rules that report anything.
var spellings = []struct {
	head, tail string
	rows       [][2]string
}{
	{`export default async ({ client, $ }) => ({ event: async ({ event }) => {`, `} })`, [][2]string{
		{`if (event.type === "session.idle") await fs.promises.appendFile("a", "b")`, "idlework"},
		{`if (event?.type == 'session.idle') { fsp.writeFile("a", "b").catch(() => {}) }`, "idlework"},
		{`const { type } = event; if (type === "session.idle") { await Bun.write("a", "b") }`, "idlework"},
		{`if (event.type === "session.status" && event.properties.status.type === "idle") { await client.session.get({}); cp.exec("notify") }`, "idlework"},
		{"if (event.type === `session.idle`) { await new Promise((r) => setTimeout(r, 500)); cp.spawn('x') }", "idlework"},
		{`if (["session.idle", "session.error"].includes(event.type)) { const r = await client.session.messages({}); for (const m of r.data) { fs.appendFileSync("a", m) } }`, "idlework"},
		{`if (event.type === "session.idle") { try { await fetch("x"); await fetch("y") } catch {} }`, "idlework"},
		{"switch (event.type) { case 'session.idle': { await Bun.sleep(100); await $`say done`; break } }", "idlework"},
		{`const fs = await import('node:fs/promises'); if (event.type === 'session.idle') await fs.writeFile('a', 'b')`, "idlework"},
		{`if (event.type === "session.idle") { setImmediate(() => fs.appendFileSync("a", "b")) }`, "idlework"},
		{`if (event.type === 'session.error' || event.type === 'session.idle') fsp.appendFile('a', 'b')`, "idlework"},
		{`if (event.type === 'session.idle') { fs.writeFile('a', 'b', (e) => { if (e) throw e }) }`, "idlework"},
		{`if (event.type === 'session.idle') { const s = fs.createWriteStream('a'); s.end('x') }`, "idlework"},
		{`const fs = await import('node:fs'); if (event.type === 'session.idle') fs.writeFileSync('a', 'b')`, ""},
		{`queueMicrotask(() => fs.writeFileSync("a", "b"))`, ""},
		{"if (event.type === 'session.idle') { await $`osascript -e x` }", ""},
		{`if (event.type === 'session.idle') { await client.tui.showToast({}) }`, ""},
		{`if (event.type === 'session.compacted') { await client.x.y(); await fsp.writeFile('a', 'b') }`, ""},
		{`if (event.type !== 'session.created' && event.type !== 'file.edited') return; await fsp.writeFile('a', 'b')`, ""},
		{`if (event.type.startsWith('message.')) { await fsp.writeFile('a', 'b') }`, ""},
		{`const s = await fsp.stat('a'); if (event.type === 'session.idle') { const b = s.size }`, ""},
		{`if (event.type === 'session.idle') { const c = cp.spawn('x', [], { detached: true, stdio: 'ignore' }); c.unref(); await client.a.b() }`, ""},
		{`setInterval(() => fs.writeFileSync("a", "b"), 1000)`, ""},
	}},
	{`export default async ({ client, $ }) => ({ event: `, ` })`, [][2]string{
		{`({ event }) => { const x = decodeURIComponent(event.type) }`, "syncevent"},
		{`function ({ event }) { fs.appendFileSync("a", event.type) }`, "syncevent"},
		{`({ event }) => { if (event.type === "session.idle") cp.execSync("x") }`, "syncevent"},
		{`({ event }) => { try { cp.execSync("x") } catch (e) { throw e } }`, "syncevent"},
		{`({ event }) => new URL(event.properties.url)`, "syncevent"},
		{`({ event }) => { const t = new (class { on() { fs.writeFileSync("a", "b") } })(); t.on() }`, "syncevent"},
		{`({ event }) => { try { cp.execSync("x") } catch (e) { console.error(e) } }`, ""},
		{`({ event }) => { (async () => { try { cp.execSync("x") } catch {} })() }`, ""},
		{`({ event }) => { (async () => { cp.execSync("x") })() }`, "floating"},
		{`({ event }) => {}`, ""},
		{`(i) => client.app.log({ body: i })`, ""},
		{`(i) => f(i)`, ""},
	}},
	{`export default async ({ client, $ }) => ({ "tool.execute.before": async (input, output) => {`, `} })`, [][2]string{
		{`try { const c = output.args.command; if (/rm/.test(c)) { throw new Error("x") } } catch (e) { console.error(e) }`, "guardswallow"},
		{`const c = output.args.command; try { if (c.includes("x")) throw Error("b") } catch { return }`, "guardswallow"},
		{`try { switch (input.tool) { case "bash": throw new Error("no bash") } } catch {}`, "guardswallow"},
		{`try { [1].forEach(() => { if (output.args.x) throw new Error("x") }) } catch {}`, "guardswallow"},
		{`try { await guard(output) } catch (e) { await client.app.log({ body: e }) }`, "guardswallow"},
		{`await guard(output).catch((e) => console.error(e))`, "guardswallow"},
		{`await guard(output).catch((e) => { throw e })`, ""},
		{`await guard(output)`, ""},
		{`try { if (output.args.x) throw new Error("x") } catch (e) { return Promise.reject(e) }`, ""},
		{`try { if (output.args.x) throw new Error("x") } catch (e) { throw e }`, ""},
		{`let p; try { p = JSON.parse(output.args.json) } catch { p = {} } if (p.bad) throw new Error("x")`, ""},
		{`const errs = []; try { if (output.args.x) throw new Error("x") } catch (e) { errs.push(e) } if (errs.length) throw errs[0]`, ""},
		{`try { const r = await fetch("x", { signal }); if (!r.ok) throw new Error("http") } catch {}`, ""},

		{`const a = output.args; if (!a) return; if (a.command.includes("x")) throw new Error()`, "guardfailopen"},
		{`if (!output.args?.command) return; if (bad(output.args.command)) throw new Error("x")`, "guardfailopen"},
		{`if (output.args === undefined) return; if (bad(output.args.command)) throw new Error("x")`, "guardfailopen"},
		{`const { filePath } = output.args ?? {}; if (!filePath) return; if (filePath.includes("x")) throw new Error("x")`, "guardfailopen"},
		{`let cfg; try { cfg = load() } catch (e) { console.error(e); return } if (cfg.deny.includes(output.args.command)) throw new Error("x")`, "guardfailopen"},
		{`if (typeof output.args.command !== "string" || input.tool !== "bash") return; if (bad(output.args.command)) throw new Error("x")`, ""},
		{`if (!["read", "edit"].includes(input.tool)) return; const p = output.args.filePath; if (!p) return; if (bad(p)) throw new Error("x")`, ""},
		{`if (!enabled) return; if (bad(output.args)) throw new Error("x")`, ""},
		{`if (input.tool === "bash") { const c = output.args.command; if (!c) return; if (bad(c)) throw new Error("x") }`, ""},
		{`if (!input.sessionID) return; if (bad(output.args)) throw new Error("x")`, ""},
		{`if (!output.args) throw new Error("no args"); if (bad(output.args)) throw new Error("x")`, ""},
		{`if (!isRisky(output.args.command)) return; throw new Error("x")`, ""},

		{`f()`, "floating"},
		{`f().finally(() => {})`, "floating"},
		{`if (input.tool) f(); else await f()`, "floating"},
		{`for (const a of [1]) f(a)`, "floating"},
		{`[1].forEach(async (a) => { await f(a) })`, "floating"},
		{`input.x && f()`, "floating"},
		{`guard(output)`, "floating"},
		{`(async () => { await fetch("x", { signal }) })()`, "floating"},
		{`fsp.rm("y")`, "floating"},
		{`const p = f(); p.catch(() => {})`, ""},
		{`const p = f(); await p`, ""},
		{`await Promise.all([1].map((a) => f(a)))`, ""},
		{`setTimeout(f, 10)`, ""},
		{`await fsp.rm("y"); return fsp.rm("z")`, ""},
	}},
	{`export default async ({ client, $ }) => ({ "chat.message": async (input, output) => {`, `} })`, [][2]string{
		{`if (!input.sessionID) throw new Error("x")`, "fatalthrow"},
		{`return fail()`, "fatalthrow"},
		{`await Promise.all([fail(), 1])`, "fatalthrow"},
		{`output.parts.map((p) => { if (p) throw new Error("x") })`, "fatalthrow"},
		{`try { throw new Error("x") } catch (e) { throw e }`, "fatalthrow"},
		{`try { return await fail() } catch {}`, ""},
		{`fail().catch(() => {})`, ""},
		{`new Promise((_, rej) => { throw new Error("x") }).catch(() => {})`, ""},
	}},
	{`export default async ({ client, $ }) => {`, `; return { "chat.params": async () => {} } }`, [][2]string{
		{`const r = await (await fetch("x")).json()`, "unboundedwait"},
		{`const { stdout } = await promisify(cp.exec)("x")`, "unboundedwait"},
		{`const ex = promisify(cp.execFile); await ex("git", ["x"], { cwd: "/" })`, "unboundedwait"},
		{`await fetch("x", { method: "POST" }).catch(() => null)`, "unboundedwait"},
		{`async function load() { return await fetch("x") } await load()`, "unboundedwait"},
		{`const [a, b] = await Promise.all([fetch("x"), 2])`, "unboundedwait"},
		{`const opts = { method: "GET" }; await fetch("x", opts)`, "unboundedwait"},
		{`const r = await globalThis.fetch("x")`, "unboundedwait"},
		{`await promisify(cp.exec)("x", { timeout: 5 })`, ""},
		{`await fetch(new Request("x", { signal: AbortSignal.timeout(1) }))`, ""},
		{`const c = new AbortController(); setTimeout(() => c.abort(), 5); await fetch("x", { signal: c.signal })`, ""},
		{`async function load() { return await fetch("x") } load().then(() => {}, () => {})`, ""},
		{`const p = fetch("x"); p.catch(() => {})`, ""},
		{`await Promise.any([fetch("x"), fetch("y")])`, ""},
		{`const fetch = (u) => 1; await fetch("x")`, ""},
		{`const child = cp.spawn("x"); const api = { child, stop: (s) => child.kill(s) }`, ""},
	}},
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	var enable []string
	for _, r := range hookasync.Check.Rules {
		enable = append(enable, "hookasync/"+r.Name)
	}
	for _, group := range spellings {
		for _, row := range group.rows {
			body, want := row[0], row[1]
			t.Run(strings.ReplaceAll(body, "/", "_"), func(t *testing.T) {
				t.Parallel()
				found := findingtest.Check(t, hookasync.Check, imports+group.head+body+group.tail, finding.Options{Enable: enable})
				var got []string
				for _, f := range found {
					got = append(got, f.Rule)
				}
				if rules := strings.Join(got, " "); rules != want {
					t.Errorf("found %q, want %q", rules, want)
				}
			})
		}
	}
}
