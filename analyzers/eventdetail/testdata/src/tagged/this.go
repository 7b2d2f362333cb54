//go:build !other

package tagged

func detail(msg string) map[string]any {
	return map[string]any{"text": 1, "n": len(msg)} // want `"text" names free text`
}
