package rules

import "strings"

// mostDigits is how many digits a number may have: those of 2^63-1, the largest number of the contract. No number of so
// many digits overflows.
const mostDigits = 19

// CutNumber reads the number in front of text: decimal digits, no sign, no zero in front of others. rest is what comes
// after the digits.
func CutNumber(text string) (number uint64, rest string, ok bool) {
	digits := 0
	for digits < len(text) && text[digits]-'0' <= 9 {
		if digits == mostDigits {
			return 0, text, false
		}
		number = 10*number + uint64(text[digits]-'0')
		digits++
	}
	ok = digits == 1 || digits > 1 && text[0] != '0'
	return number, text[digits:], ok
}

// ParseNumber reads a text that is a number and nothing else.
func ParseNumber(text string) (uint64, bool) {
	number, rest, ok := CutNumber(text)
	return number, ok && rest == ""
}

// ParsePair reads two numbers and what stands between them.
func ParsePair(text, between string) (first, second uint64, ok bool) {
	first, rest, ok := CutNumber(text)
	if !ok || !strings.HasPrefix(rest, between) {
		return 0, 0, false
	}
	second, ok = ParseNumber(rest[len(between):])
	return first, second, ok
}
