package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
)

// isTerminal reports whether a person looks at what is written to w.
func isTerminal(w io.Writer) bool {
	file, is := w.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}

// style is how text on w has to look.
func (s *settings) style(w io.Writer, env func(string) string) show.Style {
	style := show.Style{ASCII: s.ASCII || !unicode(env)}
	terminal := isTerminal(w)
	switch s.Color {
	case "always":
		style.Color = true
	case "never":
	default:
		style.Color = terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
	}
	if terminal {
		if width, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil {
			style.Width = width
		}
	}
	return style
}

// unicode reports whether the locale has UTF-8. Where none is set, as in many containers, it is taken for granted.
func unicode(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := env(name); locale != "" {
			locale = strings.ToLower(locale)
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return true
}
