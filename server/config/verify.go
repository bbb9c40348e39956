package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"reflect"
	"strconv"
	"time"

	"github.com/zermelo-games/zermelo/server/admission"
)

// The limits within which settings make sense.
const (
	// MinMemoBudget is the least memo budget: below it nothing worth asking fits.
	MinMemoBudget = 64 * KiB
	// MaxMemoBudget is the largest memo budget: above it a unit was mistyped.
	MaxMemoBudget = 64 * TiB
	// MinMemory is the least memory of all calls together.
	MinMemory = Bytes(admission.MinMemory)
	// MaxMemory is the largest: above it a unit was mistyped.
	MaxMemory = 1024 * TiB
	// MaxCache is the largest cache: above it a unit was mistyped.
	MaxCache = 1 * TiB
	// MaxSlots is how many solves, or streams, may run at a time at most.
	MaxSlots = admission.MaxSlots
	// MaxDrainDelay is the longest drain delay.
	MaxDrainDelay = 10 * time.Minute
	// MinDrainGrace is the shortest drain grace: calls that are told to stop need a moment to say so to their callers.
	MinDrainGrace = time.Second
	// MaxDrainGrace is the longest drain grace.
	MaxDrainGrace = 10 * time.Minute
	// MinStallLimit is the shortest stall limit: a reader that is busy for a moment is not a stalled one.
	MinStallLimit = 100 * time.Millisecond
	// MaxStallLimit is the longest stall limit.
	MaxStallLimit = time.Hour
	// MaxClientStreams is the most streams that can be the limit of one client.
	MaxClientStreams = 1_000_000
	// MaxClientRate is the most requests a second that can be the limit of one client.
	MaxClientRate = 1_000_000
	// MinCallTime is the shortest limit for the time of a call.
	MinCallTime = 100 * time.Millisecond
	// MaxCallTime is the longest limit for the time of a call.
	MaxCallTime = 30 * 24 * time.Hour
	// MinMaxConnectionAge is the least age of connections that end by age: below it clients do little but connect.
	MinMaxConnectionAge = time.Second
	// MaxMaxConnectionAge is the highest such age.
	MaxMaxConnectionAge = 365 * 24 * time.Hour
	// MinMaxRequestBytes is the least size of the largest request: below it no position of some size can be asked about.
	MinMaxRequestBytes = KiB
	// MaxMaxRequestBytes is the most that the largest request can be.
	MaxMaxRequestBytes = 512 * MiB
)

// SettingError says that a setting cannot be used.
type SettingError struct {
	// Flag is the name on the command line: --drain-grace.
	Flag string
	// Env is the name in the environment: ZERMELO_DRAIN_GRACE.
	Env string
	// Value is what the setting was, as written by its type.
	Value string
	// Need says what is accepted and what would do.
	Need string
}

// Error names the setting by both its names, the value, and what would do.
func (e *SettingError) Error() string {
	return fmt.Sprintf("%s (%s) is %q: %s", e.Flag, e.Env, e.Value, e.Need)
}

// Verify checks that the settings make sense by themselves and together. The error joins one [SettingError] for each
// setting that does not.
func (c Config) Verify() error {
	normal := Default()
	var errs []error
	bad := func(field string, value any, need string, args ...any) {
		flag, env := names(field)
		errs = append(errs, &SettingError{Flag: flag, Env: env, Value: fmt.Sprint(value), Need: fmt.Sprintf(need, args...)})
	}

	if why := badAddress(c.Listen); why != "" {
		bad("Listen", c.Listen, "%s; write host:port, such as %s", why, normal.Listen)
	}
	if c.AdminListen != "" {
		if why := badAddress(c.AdminListen); why != "" {
			bad("AdminListen", c.AdminListen, "%s; write host:port, such as 127.0.0.1:9090, or leave it empty for no admin port", why)
		} else if c.AdminListen == c.Listen && portOf(c.Listen) != 0 {
			bad("AdminListen", c.AdminListen, "the gRPC service listens there; choose another port, such as 127.0.0.1:9090")
		}
	}
	if c.MemoBudget < MinMemoBudget || c.MemoBudget > MaxMemoBudget {
		bad("MemoBudget", c.MemoBudget, "it must be from %s to %s; the default is %s", MinMemoBudget, MaxMemoBudget, normal.MemoBudget)
	}
	if c.Memory != 0 && (c.Memory < MinMemory || c.Memory > MaxMemory) {
		bad("Memory", c.Memory, "it must be from %s to %s, or 0 for half of what there is", MinMemory, MaxMemory)
	}
	if c.Cache < 0 || c.Cache > MaxCache {
		bad("Cache", c.Cache, "it must be from 0B, which keeps no answers, to %s; the default is %s", MaxCache, normal.Cache)
	}
	if c.MaxSolves < 0 || c.MaxSolves > MaxSlots {
		bad("MaxSolves", c.MaxSolves, "it must be from 1 to %d, or 0 for the number of cores", MaxSlots)
	}
	if c.MaxStreams < 0 || c.MaxStreams > MaxSlots {
		bad("MaxStreams", c.MaxStreams, "it must be from 1 to %d, or 0 for eight for each core", MaxSlots)
	}
	if c.LogFormat != LogFormatText && c.LogFormat != LogFormatJSON {
		bad("LogFormat", c.LogFormat, "it must be %s or %s", LogFormatText, LogFormatJSON)
	}
	if c.LogLevel < slog.LevelDebug || c.LogLevel > slog.LevelError {
		bad("LogLevel", c.LogLevel, "it must be from debug to error; the default is info")
	}
	if c.DrainDelay < 0 || c.DrainDelay > MaxDrainDelay {
		bad("DrainDelay", c.DrainDelay, "it must be from 0s to %s; the default is %s", MaxDrainDelay, normal.DrainDelay)
	}
	if c.DrainGrace < MinDrainGrace || c.DrainGrace > MaxDrainGrace {
		bad("DrainGrace", c.DrainGrace, "it must be from %s to %s; the default is %s", MinDrainGrace, MaxDrainGrace, normal.DrainGrace)
	}
	if c.StallLimit < MinStallLimit || c.StallLimit > MaxStallLimit {
		bad("StallLimit", c.StallLimit, "it must be from %s to %s; the default is %s", MinStallLimit, MaxStallLimit, normal.StallLimit)
	}
	if c.TLSCert != "" && c.TLSKey == "" {
		bad("TLSKey", c.TLSKey, "the certificate of --tls-cert needs its key; name the file, or neither of the two")
	}
	if c.TLSKey != "" && c.TLSCert == "" {
		bad("TLSCert", c.TLSCert, "the key of --tls-key needs its certificate; name the file, or neither of the two")
	}
	if c.TLSClientCA != "" && c.TLSCert == "" {
		bad("TLSClientCA", c.TLSClientCA, "only a port with TLS can ask for certificates; set --tls-cert and --tls-key too")
	}
	if c.Reflection != ReflectionOpen && c.Reflection != ReflectionToken && c.Reflection != ReflectionOff {
		bad("Reflection", c.Reflection, "it must be %s, %s or %s", ReflectionOpen, ReflectionToken, ReflectionOff)
	}
	if c.Reflection == ReflectionToken && c.TokenFile == "" {
		bad("Reflection", c.Reflection, "there are no tokens; set --token-file too, or choose %s or %s", ReflectionOpen, ReflectionOff)
	}
	if c.TLSCert == "" && c.TLSKey == "" && !c.AllowPlaintext && badAddress(c.Listen) == "" && !isLoopback(c.Listen) {
		bad("Listen", c.Listen, "other machines reach it, and there is no TLS; set --tls-cert and --tls-key, or listen on %s, "+
			"or say --allow-plaintext if something else protects the way (everything, tokens too, is readable on it)", normal.Listen)
	}
	if c.ClientStreams < 0 || c.ClientStreams > MaxClientStreams {
		bad("ClientStreams", c.ClientStreams, "it must be from 0, which stands for any number, to %d", MaxClientStreams)
	}
	if c.ClientRate < 0 || c.ClientRate > MaxClientRate {
		bad("ClientRate", c.ClientRate, "it must be from 0, which stands for any number, to %d", MaxClientRate)
	}
	if c.MaxSolveTime < MinCallTime || c.MaxSolveTime > MaxCallTime {
		bad("MaxSolveTime", c.MaxSolveTime, "it must be from %s to %s; the default is %s", MinCallTime, MaxCallTime, normal.MaxSolveTime)
	}
	if c.MaxStreamTime < MinCallTime || c.MaxStreamTime > MaxCallTime {
		bad("MaxStreamTime", c.MaxStreamTime, "it must be from %s to %s; the default is %s", MinCallTime, MaxCallTime, normal.MaxStreamTime)
	}
	if c.MaxConnectionAge != 0 && (c.MaxConnectionAge < MinMaxConnectionAge || c.MaxConnectionAge > MaxMaxConnectionAge) {
		bad("MaxConnectionAge", c.MaxConnectionAge, "it must be 0s, which stands for never, or from %s to %s",
			MinMaxConnectionAge, MaxMaxConnectionAge)
	}
	switch longest := max(c.MaxSolveTime, c.MaxStreamTime); {
	case c.MaxConnectionAgeGrace < 0 || c.MaxConnectionAgeGrace > MaxMaxConnectionAge:
		bad("MaxConnectionAgeGrace", c.MaxConnectionAgeGrace, "it must be from 0s to %s; the default is %s", MaxMaxConnectionAge,
			normal.MaxConnectionAgeGrace)
	case c.MaxConnectionAge != 0 && c.MaxConnectionAgeGrace < longest:
		bad("MaxConnectionAgeGrace", c.MaxConnectionAgeGrace, "calls may take %s by --max-stream-time and --max-solve-time, and "+
			"those on a connection that is past --max-connection-age would be cut; let it be at least %s, or "+
			"shorten these", longest, longest)
	}
	if c.MaxRequestBytes < MinMaxRequestBytes || c.MaxRequestBytes > MaxMaxRequestBytes {
		bad("MaxRequestBytes", c.MaxRequestBytes, "it must be from %s to %s; the default is %s", MinMaxRequestBytes, MaxMaxRequestBytes, normal.MaxRequestBytes)
	}
	if c.AdminPprof && c.AdminListen == "" {
		bad("AdminPprof", c.AdminPprof, "there is no admin port to serve profiles on; set --admin-listen too")
	}
	return errors.Join(errs...)
}

// isLoopback tells whether only this machine reaches an address that badAddress accepts. A host that is neither a
// loopback address nor localhost is taken to be reached by others; no host stands for all addresses.
func isLoopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// names gives both names of the setting that a field of Config holds. They come from the field's tags, so that an error
// cannot name a flag that does not exist.
func names(field string) (flag, env string) {
	f, ok := reflect.TypeFor[Config]().FieldByName(field)
	if !ok {
		panic("config: no field " + field)
	}
	return "--" + f.Tag.Get("name"), f.Tag.Get("env")
}

// badAddress says what is wrong with an address to listen on; "" when nothing is.
func badAddress(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "it is not an address"
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "its port must be a number from 0 to 65535"
	}
	return ""
}

// portOf gives the port of an address that badAddress accepts.
func portOf(address string) int {
	_, port, _ := net.SplitHostPort(address)
	n, _ := strconv.Atoi(port)
	return n
}
