package js

// erased looks for a declaration of name in TypeScript of which nothing is left at run time,
// and returns what it declares, "" if there is none. Such a declaration is not in the
// translated text, so it is looked for in the tokens of the source.
func (m *Module) erased(name string) (what string, at Span) {
	t := m.toks
	for i := 0; i < len(t.list); i++ {
		switch t.text(i) {
		case "{", "(", "[":
			if t.list[i].match > int32(i) {
				i = int(t.list[i].match)
			}
		case "type":
			if t.is(i+1, name) && (t.is(i+2, "=") || t.is(i+2, "<")) {
				return "a type", t.span(i + 1)
			}
		case "interface":
			if t.is(i+1, name) {
				return "an interface", t.span(i + 1)
			}
		case "declare":
			if j := t.declared(i + 1); t.is(j, name) {
				return "declared without a value", t.span(j)
			}
		case "import":
			if j := t.importedType(i+1, name); j > 0 {
				return "imported as a type", t.span(j)
			}
		}
	}
	return "", Span{}
}

// namespace returns the place of a namespace of TypeScript with the given name.
func (m *Module) namespace(name string) (Span, bool) {
	for i := range m.toks.list {
		if (m.toks.is(i, "namespace") || m.toks.is(i, "module")) && m.toks.is(i+1, name) && m.toks.is(i+2, "{") {
			return m.toks.span(i + 1), true
		}
	}
	return Span{}, false
}

// declared returns the index of the name behind declare.
func (t *tokens) declared(i int) int {
	for ; ; i++ {
		switch t.text(i) {
		case "abstract", "async", "const", "let", "var", "function", "class", "enum", "namespace", "module":
		default:
			return i
		}
	}
}

// importedType returns the index of name in an import of types: import type { a, b as name }
// or import { type name }; 0 if it is not there.
func (t *tokens) importedType(i int, name string) int {
	all := t.is(i, "type") && !t.is(i+1, "from") && !t.is(i+1, ",")
	for only := all; i < len(t.list) && t.kindOf(i) != tokString && !t.is(i, ";"); i++ {
		switch {
		case t.is(i, ",") || t.is(i, "{"):
			only = all
		case t.is(i, "type") && t.kindOf(i+1) == tokIdent:
			only = true
		case only && t.is(i, name) && !t.is(i+1, "as"):
			return i
		}
	}
	return 0
}

func (t *tokens) span(i int) Span { return Span{int(t.list[i].start), int(t.list[i].end)} }
