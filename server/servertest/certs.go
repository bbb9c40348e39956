package servertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority issues certificates for tests, into a directory of its own.
type Authority struct {
	// Dir is that directory, and File holds the certificate of the authority, in PEM.
	Dir, File string

	tb          testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	issued      int64
}

// NewAuthority makes an authority.
func NewAuthority(tb testing.TB) *Authority {
	tb.Helper()
	a := &Authority{Dir: tb.TempDir(), tb: tb}
	a.File = filepath.Join(a.Dir, "ca.pem")
	a.key = a.newKey()
	a.certificate = &x509.Certificate{
		Subject: pkix.Name{CommonName: "Authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.certificate = a.sign(a.certificate, &a.key.PublicKey, a.certificate)
	a.write(a.File, "CERTIFICATE", a.certificate.Raw)
	return a
}

// Issue issues a certificate for a name, good for servers on this machine and for clients, and returns the files of the
// certificate and of its key. Issued again for the same name, it replaces them.
func (a *Authority) Issue(name string) (certFile, keyFile string) {
	a.tb.Helper()
	key := a.newKey()
	certificate := a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}, &key.PublicKey, a.certificate)
	certFile, keyFile = filepath.Join(a.Dir, name+".pem"), filepath.Join(a.Dir, name+"-key.pem")
	a.write(certFile, "CERTIFICATE", certificate.Raw)
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.tb.Fatal(err)
	}
	a.write(keyFile, "PRIVATE KEY", encoded)
	return certFile, keyFile
}

// Pool holds the authority.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Client is the configuration of a client that trusts the authority and, with a name, has a certificate for it.
func (a *Authority) Client(name string) *tls.Config {
	a.tb.Helper()
	c := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: a.Pool()}
	if name != "" {
		certificate, err := tls.LoadX509KeyPair(a.Issue(name))
		if err != nil {
			a.tb.Fatal(err)
		}
		c.Certificates = []tls.Certificate{certificate}
	}
	return c
}

func (a *Authority) newKey() *ecdsa.PrivateKey {
	a.tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.tb.Fatal(err)
	}
	return key
}

func (a *Authority) sign(template *x509.Certificate, key *ecdsa.PublicKey, parent *x509.Certificate) *x509.Certificate {
	a.tb.Helper()
	a.issued++
	template.SerialNumber = big.NewInt(a.issued)
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, key, a.key)
	if err != nil {
		a.tb.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		a.tb.Fatal(err)
	}
	return certificate
}

func (a *Authority) write(file, kind string, content []byte) {
	a.tb.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
		a.tb.Fatal(err)
	}
}
