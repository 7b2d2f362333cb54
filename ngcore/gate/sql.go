package gate

import (
	"slices"
	"strings"
)

// sqlClient describes a program that sends statements to a database.
type sqlClient struct {
	inline   []string // options whose value is a statement
	files    []string // options whose value is a file of statements
	values   []string // options that take the next word
	operands int      // operands before a statement, or -1: no operand is one
}

var sqlClients = table[sqlClient]{
	{"psql", sqlClient{inline: []string{"-c", "--command"}, files: []string{"-f", "--file"}, values: []string{"-h", "-p", "-U", "-d", "-v", "-P", "-F", "-R", "-T", "-o", "--set", "--host", "--port", "--username", "--dbname"}, operands: -1}},
	{"pgcli", sqlClient{inline: []string{"-e"}, operands: -1}},
	{"mysql", sqlClient{inline: []string{"-e", "--execute"}, values: []string{"-h", "-P", "-u", "-D", "-S", "--host", "--port", "--user", "--database"}, operands: -1}},
	{"mariadb", sqlClient{inline: []string{"-e", "--execute"}, values: []string{"-h", "-P", "-u", "-D", "-S"}, operands: -1}},
	{"mycli", sqlClient{inline: []string{"-e", "--execute"}, values: []string{"-h", "-P", "-u", "-D"}, operands: -1}},
	{"sqlite3", sqlClient{inline: []string{"-cmd"}, values: []string{"-separator", "-init", "-newline", "-nullvalue"}, operands: 1}},
	{"sqlite", sqlClient{inline: []string{"-cmd"}, operands: 1}},
	{"duckdb", sqlClient{inline: []string{"-c", "-cmd", "-s"}, operands: 1}},
	{"sqlcmd", sqlClient{inline: []string{"-Q", "-q"}, files: []string{"-i"}, values: []string{"-S", "-U", "-P", "-d"}, operands: -1}},
	{"clickhouse-client", sqlClient{inline: []string{"-q", "--query"}, values: []string{"-h", "--host", "--port", "-u", "--user", "--password", "-d"}, operands: -1}},
	{"clickhouse", sqlClient{inline: []string{"-q", "--query"}, operands: -1}},
	{"cockroach", sqlClient{inline: []string{"-e", "--execute"}, files: []string{"-f"}, values: []string{"--url", "--host", "--database"}, operands: -1}},
	{"snowsql", sqlClient{inline: []string{"-q", "--query"}, files: []string{"-f"}, values: []string{"-c", "-a", "-u", "-d"}, operands: -1}},
	{"usql", sqlClient{inline: []string{"-c", "--command"}, files: []string{"-f"}, operands: -1}},
	{"bq", sqlClient{operands: 1}},
	{"mongo", sqlClient{inline: []string{"--eval"}, operands: -1}},
	{"mongosh", sqlClient{inline: []string{"--eval"}, operands: -1}},
	{"cqlsh", sqlClient{inline: []string{"-e", "--execute"}, files: []string{"-f"}, operands: -1}},
	{"trino", sqlClient{inline: []string{"--execute"}, operands: -1}},
	{"turso", sqlClient{operands: 3}},
	{"wrangler", sqlClient{inline: []string{"--command"}, files: []string{"--file"}, operands: -1}},
}

// judgeSQL judges what a database client sends.
func judgeSQL(client sqlClient) func(*command) {
	return func(c *command) {
		given := false
		for i, arg := range c.args {
			name, value, attached := strings.Cut(arg, "=")
			switch {
			case contains(client.inline, arg) && i+1 < len(c.args):
				c.statements(c.args[i+1])
				given = true
			case attached && contains(client.inline, name):
				c.statements(value)
				given = true
			case len(arg) > 2 && contains(client.inline, arg[:2]) && arg[1] != '-':
				c.statements(arg[2:])
				given = true
			case len(arg) > 2 && arg[0] == '-' && isLetters(arg[1:]) && contains(client.inline, "-"+arg[len(arg)-1:]) && i+1 < len(c.args) && strings.ContainsAny(c.args[i+1], " \\;"):
				c.statements(c.args[i+1])
				given = true
			}
		}
		c.optionFiles(client.files, accessRead)
		if len(client.files) > 0 && slices.Contains(c.args, processFile) {
			c.deny(CodeDynamic, c.line()+": the statements are known only when they run. Write them to a file.")
		}
		options, operands := c.split(slices.Concat(client.values, client.inline, client.files)...)
		if client.operands >= 0 && len(operands) > client.operands {
			c.statements(strings.Join(operands[client.operands:], " "))
			given = true
		}
		if client.operands == 1 && len(operands) > 0 && c.name != "bq" {
			c.operand(operands[0], accessWrite)
		}
		if c.in.piped && !given && !has(options, client.files...) {
			c.statements(c.in.text)
		}
	}
}

var (
	sqlNoise      = pattern(`(?s)/\*.*?\*/|--[^\n]*|'(?:[^']|'')*'`)
	sqlEscape     = pattern(`(?m)(?:^\s*|;\s*|\s)(?:\\!|\.shell|\.system|system)\s+(.+)$`)
	sqlRead       = pattern(`(?mi)^\s*(?:\\i|\\ir|\.read|source)\s+(\S+)`)
	sqlProgram    = pattern(`(?i)\b(?:to|from)\s+program\b|\binto\s+(?:out|dump)file\b|\bpg_read_file|\blo_export|\bload_extension|\bxp_cmdshell`)
	sqlDestroys   = pattern(`(?i)^\s*(?:with\b.*\)\s*)?(?:begin\s+)?(?:explain\s+analyze\s+)?(drop|truncate|delete|update|alter|flush|reset|purge|vacuum\s+full)\b(.*)`)
	sqlEverything = pattern(`(?i)\bwhere\s+(?:1\s*=\s*1|true|1|not\s+false)\s*$`)
	mongoDestroys = pattern(`(?i)\.\s*(dropDatabase|drop|deleteMany|remove|dropIndexes|deleteOne|findOneAndDelete)\s*\(|\[\s*["'](?:drop|delete|remove)`)
)

// statements judges the text that a database client sends.
func (c *command) statements(text string) {
	if strings.Contains(text, anyText) || strings.Contains(text, hostText) && !isSelect(text) {
		if !isSelect(text) {
			c.deny(CodeDynamic, c.line()+": the statements are known only when they run. Write them out.")
		}
		return
	}
	for _, m := range sqlEscape().FindAllStringSubmatch(text, -1) {
		c.runShell(strings.Trim(m[1], `'" `), nil)
	}
	for _, m := range sqlRead().FindAllStringSubmatch(text, -1) {
		c.operand(strings.TrimRight(m[1], ";"), accessRead)
	}
	plain := sqlNoise().ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '\'' {
			return "''"
		}
		return " "
	})
	if mongoDestroys().MatchString(text) && strings.HasPrefix(c.name, "mongo") || sqlProgram().MatchString(plain) {
		c.deny(CodeDestroysData, c.line()+" deletes data or reaches files of the server. Leave that to the operator.")
	}
	for statement := range strings.SplitSeq(plain, ";") {
		c.statement(strings.TrimSpace(statement))
	}
}

// frameworks run code against a project's database, given as words or as input.
var frameworks = []string{"rails", "rake", "manage.py", "django-admin", "artisan", "mix", "iex", "console", "tinker", "heroku", "flask"}

var frameworkDestroys = pattern(`(?i)\b(delete_all|destroy_all|delete!|drop_table|drop_database|truncate\w*|flush_all|flushall)\b|\.(all|filter|where)\([^)]*\)\.(delete|destroy)\b|repo\.delete_all`)

// framework judges code for a project's database by its calls that destroy data.
func (c *command) framework() {
	if contains(frameworks, c.name) && frameworkDestroys().MatchString(strings.Join(append(c.args, c.in.text), "\n")) {
		c.deny(CodeDestroysData, c.line()+" destroys data. Write a migration for review instead.")
	}
}

// isSelect reports whether a text with unknown parts is one query that only reads.
func isSelect(text string) bool {
	head, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(text)), " ")
	return slices.Contains([]string{"select", "show", "explain", "describe"}, head) && !strings.Contains(text, ";")
}

// statement judges one SQL statement without its strings and comments.
func (c *command) statement(statement string) {
	m := sqlDestroys().FindStringSubmatch(strings.Join(strings.Fields(statement), " "))
	if m == nil {
		return
	}
	verb, rest := strings.ToLower(m[1]), strings.ToLower(m[2])
	switch verb {
	case "delete", "update":
		if strings.Contains(rest, " where ") && !sqlEverything().MatchString(rest) {
			return
		}
		if verb == "update" && !strings.Contains(rest, " set ") {
			return
		}
	case "alter":
		if !strings.Contains(rest, " drop ") {
			return
		}
	case "reset":
		if !strings.Contains(rest, "master") && !strings.Contains(rest, "slave") {
			return
		}
	}
	c.deny(CodeDestroysData, c.line()+" destroys data ("+strings.ToUpper(verb)+"). Write a migration file for review instead.")
}
