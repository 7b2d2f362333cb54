// Package mirror holds a Go declaration and its counterpart in JavaScript or TypeScript
// together.
//
// A program that embeds JavaScript repeats facts in both languages: a version, a list of
// hooks, names of environment variables, file names, limits. No compiler sees both sides.
// When one changes alone, each side rejects or misreads what the other writes, at run
// time, and often without a word. A directive makes such a fact a contract:
//
//	// Version is the version of the handshake.
//	//
//	//ngvet:mirror plugin/handshake.js#PLUGIN_VERSION
//	const Version = "1"
//
// It is a Go directive comment: no space after the slashes, last in the doc comment of one
// constant, variable, struct type, function or parenthesized group of constants. A
// declaration may have several. Its form is
//
//	//ngvet:mirror FILE#PATH [subset|superset] [keys|values] [unordered] [as=ms|s|us] [source=js]
//
// FILE is a slash-separated path relative to the Go file, or from the root of the module
// with a leading slash, or IMPORT/PATH!FILE for a file of another package of the module,
// or ARCHIVE.txtar!MEMBER for a member of an archive. It never leaves the repository.
//
// PATH is a binding at the top level of the module, exported or not, followed by .property
// or ["property"] steps; default and default.a.b of the default export (and of a JSON
// file); Class.STATIC; env, the names that the module reads or deletes from process.env;
// calls(fn), the constant first arguments of every call of fn; argv(fn), the words in the
// argument arrays of every call of fn; returned(fn), the object that fn returns; cases(fn),
// the constants that the one switch in fn tells apart.
//
// What is compared with what:
//
//	Go                              JavaScript
//	integer                         number or bigint, evaluated with JavaScript's rules
//	float                           number; the Go constant is rounded to binary64
//	string                          string, also a template without holes or a sum
//	bool                            boolean
//	time.Duration                   number, with as=
//	slice, array                    array, Set, in order unless unordered
//	map                             object, Map, by key
//	group of constants              array, Set, values of an object, as sets
//	function with one switch        cases(fn), array, Set, values of an object, as sets
//	struct with json tags           keys of an object, as sets
//	function with one return        function with one return, or template, with holes
//	regexp.MustCompile              /pattern/ or new RegExp, by what it matches
//
// A struct has the names that encoding/json writes, those of embedded structs among them. A
// list and an object compare by keys or by values. With subset the JavaScript side may
// have more, with superset the Go side. With source=js the JavaScript side is the truth:
// the finding, and its fix, are on the Go side.
//
// A declaration that files of other builds repeat (//go:build, _windows.go) is compared there
// as well, if it is a constant that this build can compute. Otherwise it needs a directive of
// its own, which ngvet reads when it runs for that build.
//
// TypeScript is what is left of it at run time: an enum is an object, annotations, as and
// satisfies are gone, and a type, an interface or a declare is no counterpart.
//
// A contract that cannot be checked is a finding, never a pass.
//
// # mirror/differs
//
// The two sides have different values. The message names both values and both places; the
// fix replaces only the literal, in its own spelling (quotes, base, digit grouping, N * M).
//
// Bad:
//
//	//ngvet:mirror plugin.js#LIMIT
//	const Limit = 1 << 20       // plugin.js: export const LIMIT = 1024 * 1000;
//
// Good:
//
//	const Limit = 1 << 20       // plugin.js: export const LIMIT = 1024 * 1024;
//
// At run time one side writes what the other refuses or cuts off. Lists name the elements
// that are missing, that are too many and that moved. Numbers compare as the languages
// compute them: 1 << 31 is negative in JavaScript, integers past 2^53 need a bigint or a
// string, text that is not Unicode never matches. Regular expressions differ where a
// construct means something else, even if both spell it alike: \s, the dot, the flag i.
//
// # mirror/missing
//
// The JavaScript side has no such name. The binding or property was renamed or removed, and
// the Go side names something that nothing reads. The message lists the nearest names, or
// says that TypeScript erases the name: then write a constant, and derive the type from it.
//
// # mirror/notconst
//
// A side has no value that can be known without running it. It is a call, a conditional, a
// reassigned binding or a variable without a value of its own; the place is that of the
// reason. Write the fact as a constant expression, and derive the rest from it.
//
// Bad:
//
//	export const LIMIT = Number(process.env.LIMIT ?? 10);
//
// Good:
//
//	export const DEFAULT_LIMIT = 10;
//	const limit = Number(process.env.LIMIT ?? DEFAULT_LIMIT);
//
// # mirror/unreadable
//
// The file of the directive is missing, is not UTF-8 or does not parse. Nothing was
// compared. A file that was moved needs its directive changed.
//
// # mirror/malformed
//
// The directive is wrong, and nothing was compared. It has no FILE#PATH, an unknown or
// contradictory option, or a file outside the repository; it gives a duration no as=, or
// compares a list with an object without keys or values; or it documents no declaration.
//
// # mirror/untracked
//
// A cache by Go files does not follow the file of the directive. Neither this package nor one
// of the module that it imports itself embeds it, so golangci-lint, gopls and a go vet with
// another tool replay an old result when it changes alone. ngvet ./... keeps no results, and go vet
// -vettool=ngvet follows the files of contracts, so the rule is off; outside of modules, where
// go vet cannot do that, it is on.
//
// Bad:
//
//	//ngvet:mirror ../web/plugin.js#VERSION
//	const Version = "1"
//
// Good:
//
//	//ngvet:mirror plugin.js#VERSION
//	const Version = "1"
//
//	//go:embed plugin.js
//	var Plugin string
//
// # mirror/unmirrored
//
// A comment promises what only a directive holds. It says that the declaration must match
// something in a JavaScript file that is there. People change one side and do not read the
// other. Only packages that have a contract are looked at.
//
// Bad:
//
//	// Version must match VERSION in plugin.js.
//	const Version = "1"
//
// Good:
//
//	// Version is the version of the handshake.
//	//
//	//ngvet:mirror plugin.js#VERSION
//	const Version = "1"
package mirror
