// Package suppress silences single findings, and reports the directives that do so wrongly.
//
// A directive names the rules and says why they do not apply. It stands above the
// statement, declaration or element that it is about, or at the end of the line:
//
//	//ngvet:ignore mirror/differs,mirror/missing the reason
//	// ngvet:ignore hookname/dead the reason            (in JavaScript also with a space)
//
// Above the package clause, or above the first statement of a module, it covers the file:
//
//	//ngvet:file-ignore eventdetail/freetext the reason
//
// The findings below are about the directives and cannot be suppressed. In "go vet" a
// directive in JavaScript is obeyed, but never called unused, because one package is
// checked at a time.
//
// # ngvet/noreason
//
// The directive has no rule or no reason. It suppresses nothing. Without a reason the next
// reader cannot tell whether it still holds.
//
// # ngvet/unknownrule
//
// The directive names a rule that does not exist, or one of this page. It suppresses
// nothing. "ngvet --list" prints the names.
//
// # ngvet/nearmiss
//
// The comment looks like a directive and is none. It has a space after the slashes of a Go
// comment, a verb that does not exist, or is a file-ignore below the package clause. It has
// no effect, which its author does not expect.
//
// # ngvet/unused
//
// Nothing that the directive covers breaks the rule. Remove it: it would hide the next
// finding at that place.
//
// # ngvet/unreadable
//
// A module that OpenCode loads cannot be read. It is missing, not UTF-8 or not JavaScript.
// OpenCode skips such a plugin without a word, and no rule can look into it.
package suppress
