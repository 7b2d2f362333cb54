package pluginload

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// errRange tells that a range is in a form that is not read, such as one with a tag.
var errRange = errors.New("not a range of versions")

// versionRange is a range of package.json: alternatives of bounds that all hold.
type versionRange [][]bound

// bound compares a version with another.
type bound struct {
	operator string // >=, >, <, <= or =
	version  string // canonical, with "v"
}

// parseRange reads alternatives separated by ||, each of comparisons, carets, tildes, partial
// versions or a hyphen.
func parseRange(text string) (versionRange, error) {
	var r versionRange
	for alternative := range strings.SplitSeq(text, "||") {
		words := strings.Fields(alternative)
		if len(words) == 3 && words[1] == "-" {
			words = []string{">=" + words[0], "<=" + words[2]}
		}
		bounds := []bound{}
		for i := 0; i < len(words); i++ {
			word := words[i]
			if strings.Trim(word, "<>=^~") == "" && i+1 < len(words) { // ">= 1.0.0"
				i++
				word += words[i]
			}
			more, err := parseComparison(word)
			if err != nil {
				return nil, err
			}
			bounds = append(bounds, more...)
		}
		r = append(r, bounds)
	}
	return r, nil
}

// parseComparison reads one comparison into the bounds that it stands for.
func parseComparison(word string) ([]bound, error) {
	version := strings.TrimLeft(word, "<>=^~")
	operator := word[:len(word)-len(version)]
	numbers, err := parsePartial(strings.TrimPrefix(version, "v"))
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 { // *
		return nil, nil
	}
	low := canonical(numbers)
	next := func(i int) string { // the first version with another number i
		up := append([]int(nil), numbers[:i+1]...)
		up[i]++
		return canonical(up)
	}
	last := len(numbers) - 1
	switch operator {
	case "", "=":
		if len(numbers) == 3 {
			return []bound{{"=", low}}, nil
		}
		return []bound{{">=", low}, {"<", next(last)}}, nil
	case "^":
		i := 0
		for i < last && numbers[i] == 0 {
			i++
		}
		return []bound{{">=", low}, {"<", next(i)}}, nil
	case "~":
		return []bound{{">=", low}, {"<", next(min(1, last))}}, nil
	case ">", "<=":
		if len(numbers) < 3 { // >1 is >=2.0.0
			return []bound{{map[string]string{">": ">=", "<=": "<"}[operator], next(last)}}, nil
		}
		return []bound{{operator, low}}, nil
	case ">=", "<":
		return []bound{{operator, low}}, nil
	}
	return nil, errRange
}

// parsePartial reads the numbers of a version; x, X and * end it. A pre-release is not read.
func parsePartial(version string) ([]int, error) {
	var numbers []int
	if version == "" {
		return nil, errRange
	}
	for part := range strings.SplitSeq(version, ".") {
		if part == "x" || part == "X" || part == "*" {
			return numbers, nil
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || len(numbers) == 3 {
			return nil, errRange
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func canonical(numbers []int) string {
	text := "v"
	for i := range 3 {
		n := 0
		if i < len(numbers) {
			n = numbers[i]
		}
		if i > 0 {
			text += "."
		}
		text += strconv.Itoa(n)
	}
	return text
}

func (r versionRange) contains(version string) bool {
	for _, bounds := range r {
		all := true
		for _, b := range bounds {
			all = all && b.holds("v"+version)
		}
		if all {
			return true
		}
	}
	return false
}

func (b bound) holds(version string) bool {
	order := semver.Compare(version, b.version)
	switch b.operator {
	case ">=":
		return order >= 0
	case ">":
		return order > 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	}
	return order == 0
}
