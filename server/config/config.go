// Package config holds the settings of the server: their names as flags and environment variables, their defaults and
// the limits within which they make sense.
//
// What a setting does is the business of the package that reads it; nothing here opens, listens or starts. A new setting
// is one field with its tags, its default in [Default] and a line in [Config.Verify].
package config

import (
	"log/slog"
	"time"

	"github.com/zermelo-games/zermelo/server/catalog"
)

// Who may ask for the description of the service by reflection.
const (
	// ReflectionOpen answers everybody, also callers without a token.
	ReflectionOpen = "open"
	// ReflectionToken answers those who may also make calls.
	ReflectionToken = "token"
	// ReflectionOff answers nobody.
	ReflectionOff = "off"
)

// The forms of the log.
const (
	// LogFormatText writes one line of key=value pairs a record, for people.
	LogFormatText = "text"
	// LogFormatJSON writes one JSON object a record, for programs.
	LogFormatJSON = "json"
)

// Config holds every setting of the server. [Default] gives the defaults, [Parse] adds what the flags and the
// environment say, and [Config.Verify] tells whether the whole makes sense.
type Config struct {
	// Listen is the address, host:port, on which the gRPC service listens. Port 0 takes a free one.
	Listen string `name:"listen" env:"ZERMELO_LISTEN" default:"${default_listen}" placeholder:"HOST:PORT" help:"Address of the gRPC service; port 0 takes a free one. Default: ${default}."`

	// AdminListen is the address, host:port, of the plain HTTP port for operators. Empty: there is none.
	AdminListen string `name:"admin-listen" env:"ZERMELO_ADMIN_LISTEN" default:"${default_admin_listen}" placeholder:"HOST:PORT" help:"Address of the admin port, plain HTTP with /metrics, /healthz, /readyz and /config. Default: off."`

	// MemoBudget is the memory, in bytes, that the memo and the search stack of one request may use.
	MemoBudget Bytes `name:"memo-budget" env:"ZERMELO_MEMO_BUDGET" default:"${default_memo_budget}" placeholder:"BYTES" help:"Memory for the memo of one request, such as 512MiB or 2GiB; the table of an algorithm may take twice that. Default: ${default}."`

	// Memory is the memory, in bytes, that all calls may use together. 0: half of what there is.
	Memory Bytes `name:"memory" env:"ZERMELO_MEMORY" default:"${default_memory}" placeholder:"BYTES" help:"Memory for the memos and tables of all requests together, such as 4GiB. Default: half of what the machine or its cgroup has."`

	// Cache is the memory, in bytes, of the answers that are kept, beside Memory. 0: none are kept.
	Cache Bytes `name:"cache" env:"ZERMELO_CACHE" default:"${default_cache}" placeholder:"BYTES" help:"Memory for answers that took a millisecond or more, to be given again; 0B keeps none. Default: ${default}."`

	// MaxSolves is how many unary calls may be at work at a time, those that take less than a millisecond apart. 0: as many
	// as there are cores.
	MaxSolves int `name:"max-solves" env:"ZERMELO_MAX_SOLVES" default:"${default_max_solves}" placeholder:"N" help:"How many solves may run at a time; small ones are not counted. Default: the number of cores."`

	// MaxStreams is how many streams may be open at a time, those that take less than a millisecond apart. 0: eight for each
	// core, and 16 at least.
	MaxStreams int `name:"max-streams" env:"ZERMELO_MAX_STREAMS" default:"${default_max_streams}" placeholder:"N" help:"How many traces and enumerations may run at a time; small ones are not counted. Default: eight for each core, at least 16."`

	// LogFormat is LogFormatText or LogFormatJSON.
	LogFormat string `name:"log-format" env:"ZERMELO_LOG_FORMAT" default:"${default_log_format}" enum:"text,json" placeholder:"text|json" help:"Form of the log on standard error. Default: ${default}."`

	// LogLevel is the least level that is logged.
	LogLevel slog.Level `name:"log-level" env:"ZERMELO_LOG_LEVEL" default:"${default_log_level}" placeholder:"debug|info|warn|error" help:"Least level that is logged. Default: ${default}."`

	// DrainDelay is the lame-duck time: health says NOT_SERVING and everything is still answered.
	DrainDelay time.Duration `name:"drain-delay" env:"ZERMELO_DRAIN_DELAY" default:"${default_drain_delay}" placeholder:"DURATION" help:"On shutdown: how long to go on answering after health says NOT_SERVING, for load balancers to take note. Default: ${default}."`

	// DrainGrace is the time after DrainDelay within which all calls have ended, of their own accord or cut off.
	DrainGrace time.Duration `name:"drain-grace" env:"ZERMELO_DRAIN_GRACE" default:"${default_drain_grace}" placeholder:"DURATION" help:"On shutdown: how long calls may take to end after the drain delay; what is left then is cut off. Default: ${default}."`

	// StallLimit is how long a message of a stream may wait to be taken before the call is ended.
	StallLimit time.Duration `name:"stall-limit" env:"ZERMELO_STALL_LIMIT" default:"${default_stall_limit}" placeholder:"DURATION" help:"How long a stream may wait for a caller that has stopped reading before it is ended. Default: ${default}."`

	// TLSCert is the file with the server's certificate and those between it and its authority, in PEM. Empty: no TLS.
	// It goes with TLSKey; both are read again when they change.
	TLSCert string `name:"tls-cert" env:"ZERMELO_TLS_CERT" default:"" placeholder:"FILE" help:"Certificate of the gRPC port, PEM, with its chain; needs --tls-key. Read again when it changes. Default: no TLS."`

	// TLSKey is the file with the key of the certificate, in PEM.
	TLSKey string `name:"tls-key" env:"ZERMELO_TLS_KEY" default:"" placeholder:"FILE" help:"Key of the certificate, PEM; needs --tls-cert. Read again when it changes. Default: no TLS."`

	// TLSClientCA is the file with the authorities, in PEM, of which clients must have a certificate. Empty: clients need
	// none.
	TLSClientCA string `name:"tls-client-ca" env:"ZERMELO_TLS_CLIENT_CA" default:"" placeholder:"FILE" help:"Authorities, PEM, by one of which each client must have its certificate; needs --tls-cert. Read again when it changes. Default: clients need no certificate."`

	// TokenFile is the file with the bearer tokens that are accepted, one a line. Empty: calls need none.
	TokenFile string `name:"token-file" env:"ZERMELO_TOKEN_FILE" default:"" placeholder:"FILE" help:"File of bearer tokens, one a line, of which each call must carry one; # begins a comment. Read again when it changes. Default: calls need no token."`

	// Reflection is ReflectionOpen, ReflectionToken or ReflectionOff.
	Reflection string `name:"reflection" env:"ZERMELO_REFLECTION" default:"${default_reflection}" enum:"open,token,off" placeholder:"open|token|off" help:"Who may list and describe the service, as grpcurl does: everybody, those with a token, or nobody. Default: ${default}."`

	// AllowPlaintext lets the gRPC port listen without TLS where other machines can reach it.
	AllowPlaintext bool `name:"allow-plaintext" env:"ZERMELO_ALLOW_PLAINTEXT" default:"false" help:"Listen without TLS on an address that other machines reach, as behind a proxy that ends TLS. Everything is readable on the way, tokens too. Default: ${default}."`

	// ClientStreams is how many streams one client may have open at once; 0: any number. A client is who its certificate or
	// its token says, or else the address from which it connects. Off by default, because without either of them all
	// clients behind one proxy look like one.
	ClientStreams int `name:"client-streams" env:"ZERMELO_CLIENT_STREAMS" default:"${default_client_streams}" placeholder:"N" help:"Streams that one client may have open at once; clients are told apart by certificate, token or address, so that without the first two all behind one proxy are one. Default: ${default}, any number."`

	// ClientRate is how many requests a second one client may make, and how many at once after a pause; 0: any number.
	// Off by default for the reason given there.
	ClientRate int `name:"client-rate" env:"ZERMELO_CLIENT_RATE" default:"${default_client_rate}" placeholder:"N" help:"Requests a second that one client may make, and at most as many at once; clients are told apart as for --client-streams. Default: ${default}, any number."`

	// MaxSolveTime is how long a unary call may take.
	MaxSolveTime time.Duration `name:"max-solve-time" env:"ZERMELO_MAX_SOLVE_TIME" default:"${default_max_solve_time}" placeholder:"DURATION" help:"Longest call of Solve, Analyze or BatchSolve, whatever deadline it has. Default: ${default}."`

	// MaxStreamTime is how long a stream may take.
	MaxStreamTime time.Duration `name:"max-stream-time" env:"ZERMELO_MAX_STREAM_TIME" default:"${default_max_stream_time}" placeholder:"DURATION" help:"Longest stream of Explain or EnumeratePositions, whatever deadline it has. Default: ${default}."`

	// MaxConnectionAge is the age, give or take a tenth, at which a connection takes no further call, so that its client
	// looks for servers anew; 0: never.
	MaxConnectionAge time.Duration `name:"max-connection-age" env:"ZERMELO_MAX_CONNECTION_AGE" default:"${default_max_connection_age}" placeholder:"DURATION" help:"Age, give or take a tenth, at which a connection takes no further call and its client connects anew: to servers that came later, and with certificates that are still good. Default: ${default}, never."`

	// MaxConnectionAgeGrace is how long the calls on such a connection may go on before it is cut.
	MaxConnectionAgeGrace time.Duration `name:"max-connection-age-grace" env:"ZERMELO_MAX_CONNECTION_AGE_GRACE" default:"${default_max_connection_age_grace}" placeholder:"DURATION" help:"How long calls may go on over a connection that is past its age before it is cut; no shorter than the longest call allowed. Default: ${default}."`

	// MaxRequestBytes is the size of the largest request.
	MaxRequestBytes Bytes `name:"max-request-bytes" env:"ZERMELO_MAX_REQUEST_BYTES" default:"${default_max_request_bytes}" placeholder:"BYTES" help:"Largest request that is accepted. Default: ${default}."`

	// AdminPprof adds the profiles of the runtime to the admin port.
	AdminPprof bool `name:"admin-pprof" env:"ZERMELO_ADMIN_PPROF" default:"false" help:"Serve /debug/pprof on the admin port, for whoever can reach it. Default: ${default}."`
}

// Default returns the settings in force where neither a flag nor an environment variable says otherwise. What is not
// listed is off, or, where that is a number of something, left to the machine.
func Default() Config {
	c := Config{
		Listen:     "127.0.0.1:50051", // this machine only
		MemoBudget: Bytes(catalog.DefaultMemoBudget),
		Cache:      32 * MiB,
		LogFormat:  LogFormatText,
		LogLevel:   slog.LevelInfo,
		DrainDelay: time.Second, // for load balancers to take note
		DrainGrace: 10 * time.Second,
		StallLimit: time.Minute,
		Reflection: ReflectionOpen,
		// The largest single answers take seconds, a batch of them minutes.
		MaxSolveTime: 5 * time.Minute,
		// A trace that needs longer can be resumed.
		MaxStreamTime:   time.Hour,
		MaxRequestBytes: 16 * MiB,
	}
	c.MaxConnectionAgeGrace = c.MaxStreamTime + time.Minute // longer than the longest stream
	return c
}
