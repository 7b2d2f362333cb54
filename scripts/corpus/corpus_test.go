package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadLabels(t *testing.T) {
	t.Parallel()
	file := write(t, "# comment\n"+
		"a@1.0.0\tindex.js\thookname/unknown\tsrc/a.ts:7\tsession.idle\r\n"+
		"a@1.0.0\tindex.js\tpluginload/valueexport\tindex.js:*\n"+
		"\n"+
		"@s/b@0.1.0-alpha.2\tindex.js\tclean\t\tnote\n"+
		"c@2.0.0\tsrc/index.ts\tstdout\tsrc:*\n")
	got, err := readLabels(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []labelled{
		{"a@1.0.0", "index.js", []label{
			{Rule: "hookname/unknown", File: "src/a.ts", Line: 7, Note: "session.idle"},
			{Rule: "pluginload/valueexport", File: "index.js"},
		}},
		{"@s/b@0.1.0-alpha.2", "index.js", nil},
		{"c@2.0.0", "src/index.ts", []label{{Rule: "pluginhost/stdout", File: "src", Sample: true}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"hookname": true, "ngvet": true, "pluginload": true}, judged(got)); diff != "" {
		t.Errorf("judged (-want +got)\n%s", diff)
	}
}

func TestReadLabelsRefuses(t *testing.T) {
	t.Parallel()
	const good = "a@1.0.0\tindex.js\thookname/unknown\ta.js:1\n"
	for _, row := range []struct{ name, src, want string }{
		{"spaces for tabs", "a@1.0.0 index.js clean\n", ":1: want package@version"},
		{"no entry", "a@1.0.0\t\tclean\n", ":1: want an entry"},
		{"an entry outside", "a@1.0.0\t../x.js\tclean\n", ":1: want an entry"},
		{"two entries", good + "a@1.0.0\tother.js\thookname/unknown\ta.js:2\n", ":2: a@1.0.0 has two entries"},
		{"a tag", "a@latest\tindex.js\tclean\n", ":1: want package@version"},
		{"a path", "../a@1.0.0\tindex.js\tclean\n", ":1: want package@version"},
		{"too many fields", strings.TrimSuffix(good, "\n") + "\tnote\tmore\n", ":1: want package@version"},
		{"rule without analyzer", "a@1.0.0\tindex.js\tunknown\ta.js:1\n", ":1: want a rule"},
		{"no line", "a@1.0.0\tindex.js\thookname/unknown\ta.js\n", ":1: want file:line"},
		{"line zero", "a@1.0.0\tindex.js\thookname/unknown\ta.js:0\n", ":1: want file:line"},
		{"clean after labels", good + "a@1.0.0\tindex.js\tclean\n", ":2: a@1.0.0 has rows elsewhere"},
		{"labels after clean", "a@1.0.0\tindex.js\tclean\n" + good, ":2: a@1.0.0 has rows elsewhere"},
		{"torn apart", good + "b@1.0.0\tindex.js\tclean\n" + good, ":3: a@1.0.0 has rows elsewhere"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if _, err := readLabels(write(t, row.src)); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("readLabels = %v, want an error with %q", err, row.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	rules := map[string]bool{"hookname/unknown": true, "hookname/dead": true, "pluginhost/stdout": true}
	analyzers := map[string]bool{"hookname": true, "hookio": true}
	at := func(rule, file string, line int) found { return found{Rule: rule, File: file, Line: line} }
	one := label{Rule: "hookname/unknown", File: "a.js", Line: 3}
	any1 := label{Rule: "hookname/dead", File: "a.js", Note: "first"}
	any2 := label{Rule: "hookname/dead", File: "a.js", Note: "second"}
	absent := label{Rule: "hookio/inputargs", File: "a.js", Line: 9}
	sample := label{Rule: "pluginhost/stdout", File: "src", Sample: true}
	for _, row := range []struct {
		name     string
		labels   []label
		findings []found
		want     outcome
		differs  bool
	}{
		{"clean and nothing found", nil, nil, outcome{}, false},
		{"clean and found", nil, []found{at("hookname/unknown", "a.js", 3)},
			outcome{False: []found{at("hookname/unknown", "a.js", 3)}}, true},
		{"clean and found by an analyzer that is not judged", nil, []found{at("pluginhost/stdout", "a.js", 3)},
			outcome{Outside: []found{at("pluginhost/stdout", "a.js", 3)}}, false},
		{"found at the label, twice", []label{one}, []found{at("hookname/unknown", "a.js", 3), at("hookname/unknown", "a.js", 3)},
			outcome{True: []found{at("hookname/unknown", "a.js", 3), at("hookname/unknown", "a.js", 3)}}, false},
		{"found a line off", []label{one}, []found{at("hookname/unknown", "a.js", 4)},
			outcome{False: []found{at("hookname/unknown", "a.js", 4)}, Missed: []label{one}}, true},
		{"found in another file", []label{one}, []found{at("hookname/unknown", "b/a.js", 3)},
			outcome{False: []found{at("hookname/unknown", "b/a.js", 3)}, Missed: []label{one}}, true},
		{"found under another rule", []label{one}, []found{at("hookname/dead", "a.js", 3)},
			outcome{False: []found{at("hookname/dead", "a.js", 3)}, Missed: []label{one}}, true},
		{"two labels of any line need two findings", []label{any1, any2}, []found{at("hookname/dead", "a.js", 3)},
			outcome{True: []found{at("hookname/dead", "a.js", 3)}, Missed: []label{any2}}, true},
		{"two labels of any line with two findings", []label{any1, any2}, []found{at("hookname/dead", "a.js", 3), at("hookname/dead", "a.js", 8)},
			outcome{True: []found{at("hookname/dead", "a.js", 3), at("hookname/dead", "a.js", 8)}}, false},
		{"the rule does not exist", []label{absent}, nil, outcome{Absent: []label{absent}}, false},
		{"a sample in a directory", []label{sample}, []found{at("pluginhost/stdout", "src/x/y.ts", 1), at("pluginhost/stdout", "srcs/y.ts", 1)},
			outcome{True: []found{at("pluginhost/stdout", "src/x/y.ts", 1)}, Outside: []found{at("pluginhost/stdout", "srcs/y.ts", 1)}}, false},
		{"a sample without a finding", []label{sample}, nil, outcome{Missed: []label{sample}}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := compare(labelled{Name: "a@1.0.0", Labels: row.labels}, row.findings, rules, analyzers)
			if diff := cmp.Diff(row.want, got); diff != "" || got.differs() != row.differs {
				t.Errorf("differs %t, want %t (-want +got)\n%s", got.differs(), row.differs, diff)
			}
		})
	}
}

func TestReportNamesEveryDifference(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &printer{out: &out}
	p.add("a@1.0.0", 1500*time.Millisecond, outcome{
		False:  []found{{Rule: "hookname/dead", File: "a.js", Line: 2, Message: "never called"}},
		Missed: []label{{Rule: "hookname/unknown", File: "b.js", Note: "close"}},
		Absent: []label{{Rule: "hookio/unread", File: "b.js"}, {Rule: "hookio/unread", File: "c.js"}},
	})
	p.total()
	for _, want := range []string{
		"false positive: a.js:2: never called (hookname/dead)\n",
		"miss: b.js:*: hookname/unknown close\n",
		"all 1 packages",
		"not implemented: 2 labels of hookio/unread\n",
		"1.50s",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, &out)
		}
	}
}

// archive writes a package archive with one entry.
func archive(t *testing.T, h tar.Header, content string) string {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	h.Size, h.Mode = int64(len(content)), 0o644
	if err := tw.WriteHeader(&h); err != nil {
		t.Fatal(err)
	}
	if _, err := tw.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, buf.String())
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		header  tar.Header
		file    string // where the content lands; "" for an error with want
		wantErr string
	}{
		{"file", tar.Header{Name: "package/src/a.js", Typeflag: tar.TypeReg}, "src/a.js", ""},
		{"dots in a name", tar.Header{Name: "package/..a.js", Typeflag: tar.TypeReg}, "..a.js", ""},
		{"way out", tar.Header{Name: "package/../../a.js", Typeflag: tar.TypeReg}, "", `path "package/../../a.js"`},
		{"absolute", tar.Header{Name: "/a.js", Typeflag: tar.TypeReg}, "a.js", ""},
		{"no directory", tar.Header{Name: "a.js", Typeflag: tar.TypeReg}, "", `path "a.js"`},
		{"only a link", tar.Header{Name: "package/a.js", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, "", "holds no file"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			content := "x"
			if row.header.Typeflag != tar.TypeReg {
				content = ""
			}
			dir := filepath.Join(t.TempDir(), "out")
			err := unpack(archive(t, row.header, content), dir)
			if row.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), row.wantErr) {
					t.Errorf("unpack = %v, want an error with %q", err, row.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := fs.ReadFile(os.DirFS(dir), row.file)
			if err != nil || string(got) != content {
				t.Errorf("%s = %q, %v, want %q", row.file, got, err, content)
			}
		})
	}
}
