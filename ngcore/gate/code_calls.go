package gate

import "sync"

// effect is what a call of a language's library does.
type effect int

const (
	runsShell  effect = iota + 1 // gives text to a shell, or a list to the system
	runsCode                     // runs text as code of the same language
	deletes                      // deletes one file
	deletesAll                   // deletes a directory with all that is in it
	writes                       // writes a file
	opens                        // reads or writes, by its second argument
	reads                        // reads a file
	reaches                      // gets at names that the code does not spell
	refused                      // does what nobody can judge
	queries                      // sends a statement to a database
	prints                       // writes into the transcript
)

// pythonCalls are Python's calls by their last name.
var pythonCalls = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"system": runsShell, "popen": runsShell, "getoutput": runsShell, "getstatusoutput": runsShell, "Popen": runsShell, "check_output": runsShell, "check_call": runsShell,
		"create_subprocess_shell": runsShell, "create_subprocess_exec": runsShell, "spawn": runsShell,
		"execv": runsShell, "execve": runsShell, "execvp": runsShell, "execvpe": runsShell, "execl": runsShell, "execlp": runsShell, "execle": runsShell, "spawnl": runsShell, "spawnv": runsShell, "spawnvp": runsShell, "spawnlp": runsShell, "posix_spawn": runsShell,
		"rmtree": deletesAll, "removedirs": deletesAll, "unlink": deletes, "rmdir": deletes,
		"write_text": writes, "write_bytes": writes, "makedirs": writes, "mkdir": writes, "touch": writes, "symlink": writes, "symlink_to": writes, "hardlink_to": writes, "copytree": writes, "copyfile": writes, "copy2": writes, "chmod": writes, "truncate": writes, "extractall": writes,
		"print": prints, "execute": queries, "executescript": queries, "executemany": queries,
		"open": opens, "read_text": reads, "read_bytes": reads, "dotenv_values": reads,
		"eval": runsCode, "exec": runsCode, "compile": runsCode, "__import__": reaches, "import_module": reaches, "getattr": reaches, "__getattribute__": reaches, "globals": reaches, "__builtins__": reaches, "__subclasses__": reaches, "CDLL": reaches, "getppid": refused, "killpg": refused, "run_path": reaches, "run_module": reaches,
	}
})

// pythonModuleCalls are calls that only their module tells from harmless ones.
var pythonModuleCalls = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"os.remove": deletes, "os.rename": writes, "os.replace": writes, "shutil.move": writes, "shutil.copy": writes, "os.link": writes, "os.truncate": writes, "os.chdir": writes, "os.chown": writes,
		"subprocess.run": runsShell, "subprocess.call": runsShell, "pty.spawn": refused, "pty.fork": refused, "commands.getoutput": runsShell, "re.compile": 0, "platform.system": 0, "runpy.run_path": reaches, "sys.modules": reaches,
	}
})

// scriptCalls are the calls of Node, Deno and Bun by their last name.
var scriptCalls = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"execSync": runsShell, "execFile": runsShell, "execFileSync": runsShell, "spawn": runsShell, "spawnSync": runsShell, "fork": runsShell, "execa": runsShell, "execaSync": runsShell, "execaCommand": runsShell,
		"rm": deletesAll, "rmSync": deletesAll, "rmdir": deletesAll, "rmdirSync": deletesAll, "rimraf": deletesAll, "rimrafSync": deletesAll, "removeSync": deletesAll, "emptyDirSync": deletesAll, "unlink": deletes, "unlinkSync": deletes,
		"writeFile": writes, "writeFileSync": writes, "appendFile": writes, "appendFileSync": writes, "createWriteStream": writes, "mkdirSync": writes, "renameSync": writes, "copyFileSync": writes, "cpSync": writes, "symlinkSync": writes, "truncateSync": writes, "chmodSync": writes, "writeTextFile": writes, "writeTextFileSync": writes, "openSync": opens,
		"readFile": reads, "readFileSync": reads, "createReadStream": reads, "readTextFile": reads, "readTextFileSync": reads,
		"query": queries, "execute": queries, "run": queries, "raw": queries,
		"eval": runsCode, "Function": runsCode, "runInThisContext": runsCode, "runInNewContext": runsCode, "runInContext": runsCode, "binding": refused, "dlopen": refused, "ppid": refused, taggedShell: runsShell,
	}
})

// scriptModuleCalls are calls that only their object tells from harmless ones.
var scriptModuleCalls = sync.OnceValue(func() map[string]effect {
	return map[string]effect{
		"child_process.exec": runsShell, "console.log": prints, "console.error": prints, "stdout.write": prints, "cp.exec": runsShell, "fs.rename": writes, "fs.mkdir": writes, "process.chdir": writes, "fs.cp": writes, "fs.copyFile": writes, "Deno.remove": deletesAll, "Deno.removeSync": deletesAll, "Deno.run": runsShell, "Deno.Command": runsShell, "Bun.write": writes, "Bun.spawn": runsShell, "Bun.spawnSync": runsShell, "Bun.file": reads, "fsp.rm": deletesAll,
	}
})

// textCalls take strings that are text, not paths.
var textCalls = []string{"replace", "replaceAll", "split", "rsplit", "sub", "subn", "startswith", "endswith", "startsWith", "endsWith", "count", "find", "index", "indexOf", "includes", "join", "strip", "lstrip", "rstrip", "print", "log", "match", "search", "findall", "format", "partition", "rpartition", "test", "write", "compile"}
