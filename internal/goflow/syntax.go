package goflow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// Node returns the syntax of an instruction: the call, comparison or assignment that it
// comes from. It is nil for one without a place in the source.
func Node(pass *analysis.Pass, instr ssa.Instruction) ast.Node {
	pos := instr.Pos()
	if !pos.IsValid() {
		return nil
	}
	for _, n := range path(pass, pos) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if _, ok := instr.(ssa.CallInstruction); ok && (n.Lparen == pos || n.Pos() == pos) {
				return n
			}
		case *ast.DeferStmt:
			if n.Defer == pos {
				return n.Call
			}
		case *ast.GoStmt:
			if n.Go == pos {
				return n.Call
			}
		case *ast.BinaryExpr:
			if n.OpPos == pos {
				return n
			}
		case *ast.AssignStmt, *ast.KeyValueExpr, *ast.ValueSpec:
			if _, ok := instr.(*ssa.Store); ok {
				return n
			}
		}
	}
	return nil
}

// path returns the nodes around a position, innermost first.
func path(pass *analysis.Pass, pos token.Pos) []ast.Node {
	for _, file := range pass.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			nodes, _ := astutil.PathEnclosingInterval(file, pos, pos+1)
			return nodes
		}
	}
	return nil
}

// Enclosing returns the nodes around a node, innermost first, itself included.
func Enclosing(pass *analysis.Pass, n ast.Node) []ast.Node {
	for _, file := range pass.Files {
		if file.FileStart <= n.Pos() && n.Pos() < file.FileEnd {
			nodes, _ := astutil.PathEnclosingInterval(file, n.Pos(), n.End())
			return nodes
		}
	}
	return nil
}

// IsCondition reports whether an expression is the whole condition of an if statement.
func IsCondition(pass *analysis.Pass, e ast.Expr) bool {
	for _, n := range Enclosing(pass, e) {
		if s, ok := n.(*ast.IfStmt); ok {
			return s.Cond == e
		}
	}
	return false
}

// ImportName returns the name by which a package can be used at a node, or "" when its file
// does not import it or another declaration hides it.
func ImportName(pass *analysis.Pass, at ast.Node, path string) string {
	for _, imported := range pass.Pkg.Imports() {
		if imported.Path() != path {
			continue
		}
		for _, name := range names(pass, at, imported) {
			scope := pass.Pkg.Scope().Innermost(at.Pos())
			if scope == nil {
				return ""
			}
			if _, obj := scope.LookupParent(name, at.Pos()); isPackage(obj, imported) {
				return name
			}
		}
	}
	return ""
}

// names returns the names under which the file of a node imports a package.
func names(pass *analysis.Pass, at ast.Node, imported *types.Package) []string {
	var out []string
	for _, file := range pass.Files {
		if at.Pos() < file.FileStart || file.FileEnd <= at.Pos() {
			continue
		}
		for _, spec := range file.Imports {
			if obj := pass.TypesInfo.PkgNameOf(spec); obj != nil && obj.Imported() == imported {
				out = append(out, obj.Name())
			}
		}
	}
	return out
}

func isPackage(obj types.Object, pkg *types.Package) bool {
	name, ok := obj.(*types.PkgName)
	return ok && name.Imported() == pkg
}
