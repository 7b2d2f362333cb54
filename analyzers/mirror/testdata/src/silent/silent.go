// Package silent has no contract, so its prose is its own.
package silent

// Limit must match LIMIT in silent.js.
const Limit = 10
