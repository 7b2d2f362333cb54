package plugin_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ngvet/ngvet/plugin"
)

// The JavaScript side reads the same table in test/receipts.test.mjs.
func TestReceiptIDMatchesTheSharedTable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("test/receipt_ids.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Names []struct{ Name, ID string }
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Names) < 20 {
		t.Fatalf("the table has %d names", len(table.Names))
	}
	for _, row := range table.Names {
		if got := plugin.ReceiptID(row.Name); got != row.ID {
			t.Errorf("ReceiptID(%q) = %q, want %q", row.Name, got, row.ID)
		}
	}
	if got := plugin.ReceiptID(""); got != "" {
		t.Errorf("ReceiptID of no name = %q, want none", got)
	}
}
