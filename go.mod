module github.com/ngvet/ngvet

go 1.26.0

require (
	github.com/evanw/esbuild v0.28.2
	github.com/fsnotify/fsnotify v1.10.1
	github.com/go-json-experiment/json v1.27.2
	github.com/google/go-cmp v0.7.0
	github.com/grafana/sobek v0.0.0-20260429085637-a66d4790012b
	github.com/rogpeppe/go-internal v1.16.0
	github.com/yuin/goldmark v1.8.7
	golang.org/x/mod v0.43.0
	golang.org/x/sync v0.24.0
	golang.org/x/sys v0.50.0
	golang.org/x/tools v0.52.0
	mvdan.cc/sh/v3 v3.14.1
)

require (
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	golang.org/x/text v0.3.8 // indirect
)
