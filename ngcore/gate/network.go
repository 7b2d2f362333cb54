package gate

import (
	"net/url"
	"strings"
)

// curlValues are options of curl that take the next word and name no file here.
var curlValues = []string{"-X", "--request", "-H", "--header", "-A", "--user-agent", "-e", "--referer", "-u", "--user", "-m", "--max-time", "--connect-timeout", "-x", "--proxy", "-w", "--write-out", "--retry", "--retry-delay", "-r", "--range", "--url", "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form", "--json", "-b", "--cookie", "--resolve", "--limit-rate"}

func judgeCurl(c *command) {
	c.optionFiles([]string{"-o", "--output", "-c", "--cookie-jar", "-D", "--dump-header", "--output-dir", "--trace", "--trace-ascii", "--stderr"}, accessWrite)
	c.optionFiles([]string{"-T", "--upload-file", "-K", "--config", "-E", "--cert", "--key", "--netrc-file"}, accessRead)
	for i, arg := range c.args {
		if i > 0 && strings.HasPrefix(c.args[i-1], "-") {
			c.uploaded(arg)
		}
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "--") {
			c.uploaded(value)
		}
		if len(arg) > 2 && (strings.HasPrefix(arg, "-d") || strings.HasPrefix(arg, "-F")) {
			c.uploaded(arg[2:])
		}
	}
	_, operands := c.split(append(curlValues, "-o", "--output", "-c", "--cookie-jar", "-D", "--dump-header", "--output-dir", "-T", "--upload-file", "-K", "--config", "-E", "--cert", "--key")...)
	c.fetches(operands, c.deletesByMethod("-X", "--request"))
	c.remember(operands, "-o", "--output")
}

// uploaded judges a value that may name a file to send: @file, or name=@file.
func (c *command) uploaded(value string) {
	if i := strings.IndexByte(value, '@'); i == 0 || i > 0 && value[i-1] == '=' {
		name, _, _ := strings.Cut(value[i+1:], ";")
		c.operand(name, accessRead)
	}
}

// fetches judges addresses: a file is read, a metadata service hands out credentials, and
// a deletion anywhere but on this machine destroys data.
func (c *command) fetches(operands []string, deletes bool) {
	for _, address := range operands {
		if path, ok := strings.CutPrefix(address, "file://"); ok {
			c.access(path, accessRead)
			continue
		}
		if !strings.Contains(address, "://") {
			address = "http://" + address
		}
		if u, err := url.Parse(readable(address)); err == nil {
			if v := judgeURL("http://" + u.Host); v.Code == CodeSecret {
				c.take(v)
			}
			if deletes && !isLocalHost(u.Hostname()) {
				c.deny(CodeDestroysData, c.line()+" deletes something on a server. Leave that to the operator.")
			}
		}
	}
}

func isLocalHost(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1" || host == "0.0.0.0" || strings.HasSuffix(host, ".localhost")
}

// remember notes a download, so that running it in the same command is denied.
func (c *command) remember(operands []string, names ...string) {
	for i, arg := range c.args {
		name, value, attached := strings.Cut(arg, "=")
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		if contains(names, name) && value != "" && value != "-" {
			c.wrote(value, anyText, false)
		}
		if arg == "--remote-name" || len(arg) > 1 && arg[0] == '-' && isLetters(arg[1:]) && strings.Contains(arg, "O") || c.name == "wget" {
			for _, address := range operands {
				c.wrote(address, anyText, false)
			}
		}
	}
}

func judgeWget(c *command) {
	c.optionFiles([]string{"-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file", "-a"}, accessWrite)
	c.optionFiles([]string{"-i", "--input-file", "--post-file", "--body-file"}, accessRead)
	_, operands := c.split("-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file", "-i", "-t", "-T", "--tries", "--timeout", "--header", "-U", "--user", "--password", "--method", "--post-data")
	c.fetches(operands, c.deletesByMethod("--method"))
	c.remember(operands, "-O", "--output-document")
	c.worksHere()
}
