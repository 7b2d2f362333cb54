// Package embedtree finds trees of JavaScript that a Go program embeds and that do not work
// where the program writes or reads them.
//
// A binary that carries an OpenCode plugin writes it into a directory of the run. What the
// plugin imports must be in the embedded tree: there is no node_modules where it is
// written, and a plugin that does not load leaves no trace, so that the run goes on without
// its guard. In the author's own work tree everything is there, and tests pass.
//
// The check acts on packages that embed JavaScript or TypeScript; with --everywhere on all,
// which concerns the rule fspath. The files that any //go:embed pattern of a package selects
// count as one tree.
//
// # embedtree/hidden
//
// A //go:embed pattern that names a directory leaves out every file and directory below it
// whose name begins with "_" or ".", and an embedded module imports one of them, or names it
// in new URL(..., import.meta.url) or a read. The import fails in the written tree, or the
// browser gets a 404.
//
// Bad:
//
//	//go:embed plugin
//	var tree embed.FS // plugin/main.js has: import "./_lib.js"
//
// Good:
//
//	//go:embed all:plugin
//	var tree embed.FS
//
// The report is at the pattern, with the imports beside it. The fix writes "all:" ahead of
// the pattern; that embeds editor backups and the like as well. The pattern plugin/* is
// fine: it names each file itself.
//
// # embedtree/missing
//
// A relative import, a new URL("./x", import.meta.url) or a read at a place that is computed
// from the module's own, as join(import.meta.dirname, "x") or `${__dirname}/x`, has no file in
// the embedded tree: no pattern selects it, or it does not exist.
//
// Bad:
//
//	//go:embed plugin.js
//	var tree embed.FS // plugin.js has: import { gate } from "./gate.js"
//
// Good:
//
//	//go:embed plugin.js gate.js
//	var tree embed.FS
//
// Only for modules that do not run in a browser: plugin entries and modules that import one
// of Node's, with what those import. A web server may have any file at an address. A place
// that a module hands to anything but a read, which may write it or ask for it, or reads inside
// of a try statement, is left alone, as is what a template with holes makes. Imports are resolved
// as Bun does, so that "./x" may be x.ts or x/index.js; imports in TypeScript that only types
// use do not count. A plain relative path in readFileSync is one below the working directory
// and has nothing to do with the tree.
//
// # embedtree/outside
//
// A plugin imports what is neither a module of Node nor a relative path, or what only run time
// knows. Where the tree is written nothing is installed: the import fails, OpenCode drops the
// plugin and says nothing.
//
// Bad:
//
//	import { z } from "zod"
//
// Good:
//
//	import { z } from "./vendor/zod.js"
//
// Only for modules that a plugin entry of the tree reaches by imports; a page for a browser
// may have an import map, and a template of a project gets its packages later. Variables are
// followed to their constants. Names of Node's modules without "node:" are fine, and so is
// @opencode-ai/plugin, which OpenCode installs beside the plugins of a user. bun: is reported by
// pluginhost/bunonly.
//
// # embedtree/fspath
//
// A name for an embed.FS, or any other fs.FS, is made by filepath.Join, Clean, Dir, Rel or
// FromSlash. Names in an fs.FS have slashes on every platform; those functions write
// backslashes on Windows, where the file is then never found.
//
// Bad:
//
//	data, err := files.ReadFile(filepath.Join("assets", name))
//
// Good:
//
//	data, err := files.ReadFile(path.Join("assets", name))
//
// Names are followed through variables, concatenation, parameters of functions of the package
// or of others of the module, and what keeps separators; not through fields or maps, nor out of
// what another package returns. filepath.ToSlash, or
// any function that the check does not know, ends the search. Files that are not built for
// Windows are left alone. The fix is offered where it compiles by itself: package path is
// imported and filepath still used, or this is the only use of filepath.
//
// # embedtree/eol
//
// Git may write embedded text with CRLF when it checks it out on Windows, as core.autocrlf
// has it, and no line in .gitattributes keeps it from that. A binary that is built there
// embeds other bytes: digests of the tree differ, and a script that begins with #! does not
// start.
//
// Good:
//
//	*.js text eol=lf
//
// Once for each pattern that embeds a module which does not run in a browser, in a git work
// tree. .gitattributes and .gitignore from the root of the work tree down to the file count;
// .git/info/attributes and settings of a user do not. "text=auto" alone settles nothing.
// Files that git ignores are not checked out and left alone.
//
// # What it was measured on
//
// With --everywhere on hugo, act, restic and golang.org/x/tools, every package of each: no
// finding, so that the false findings counted are none, and the precision of no rule is known
// from real code yet. None of the four embeds a plugin of OpenCode.
package embedtree
