package reload

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
)

// Certificate is the certificate and the key of two files, in PEM, the certificate followed by those that lead to an
// authority. The arguments and errors are those of [New].
func Certificate(certFile, keyFile string, failed func(error)) (*Value[*tls.Certificate], error) {
	return New(func(contents [][]byte) (*tls.Certificate, error) {
		pair, err := tls.X509KeyPair(contents[0], contents[1])
		return &pair, err
	}, failed, certFile, keyFile)
}

// Authorities are those whose certificates are in a file, in PEM. The arguments and errors are those of [New].
func Authorities(file string, failed func(error)) (*Value[*x509.CertPool], error) {
	return New(func(contents [][]byte) (*x509.CertPool, error) {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(contents[0]) {
			return nil, errors.New("there is no certificate in PEM")
		}
		return pool, nil
	}, failed, file)
}

// Line is a line of a file of tokens, by its number from 1 and without the white space around it.
type Line struct {
	Number int
	Text   string
}

// Lines are the lines of a file of tokens, without those that are blank or comments, which begin with #.
func Lines(content []byte) []Line {
	var lines []Line
	number := 0
	for line := range bytes.Lines(content) {
		number++
		if text := strings.TrimSpace(string(line)); text != "" && !strings.HasPrefix(text, "#") {
			lines = append(lines, Line{number, text})
		}
	}
	return lines
}
