package opendb

import (
	"database/sql"
	"fmt"
	"path/filepath"
)

const file = "opencode.db"

func writing(dir string) (*sql.DB, error) {
	return sql.Open("sqlite", filepath.Join(dir, file)) // want `opens the database of OpenCode for writing`
}

func immutable(dir string) (*sql.DB, error) {
	return sql.Open("sqlite", fmt.Sprintf("file:%s/opencode.db?mode=ro&immutable=1", dir)) // want `with immutable=1 SQLite ignores its locks`
}

func reading(dir string) (*sql.DB, error) {
	dsn := "file:" + filepath.Join(dir, file) + "?mode=ro"
	return sql.Open("sqlite", dsn) // OK
}

func other(dir string) (*sql.DB, error) {
	return sql.Open("sqlite", filepath.Join(dir, "state.db")) // OK
}
