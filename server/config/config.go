// Package config holds the settings of the server: their names as flags and environment variables, their defaults and
// the limits within which they make sense.
//
// What a setting does is the business of the package that reads it; nothing here opens, listens or starts. A new setting
// is one field with its tags, one named default and one line in [Config.Verify].
package config

import (
	"log/slog"
	"time"

	"github.com/zermelo-games/zermelo/server/catalog"
)

// The values in force where neither a flag nor an environment variable says otherwise.
const (
	// DefaultListen is the address of the gRPC service: this machine only.
	DefaultListen = "127.0.0.1:50051"
	// DefaultAdminListen is the address of the admin port: off.
	DefaultAdminListen = ""
	// DefaultMemoBudget is the memory that the memo and the stack of one request may use.
	DefaultMemoBudget = Bytes(catalog.DefaultMemoBudget)
	// DefaultMemory is the memory that all calls may use together: 0 stands for half of what the machine, or the cgroup of
	// the process, has.
	DefaultMemory = Bytes(0)
	// DefaultMaxSolves is how many solves may run at a time: 0 stands for as many as there are cores.
	DefaultMaxSolves = 0
	// DefaultMaxStreams is how many streams may run at a time: 0 stands for eight for each core, and 16 at least.
	DefaultMaxStreams = 0
	// DefaultLogFormat is the form of the log.
	DefaultLogFormat = LogFormatText
	// DefaultLogLevel is the least level that is logged.
	DefaultLogLevel = slog.LevelInfo
	// DefaultDrainDelay is how long the server, on its way down, goes on answering while load balancers take note.
	DefaultDrainDelay = time.Second
	// DefaultDrainGrace is how long calls may take to end after that.
	DefaultDrainGrace = 10 * time.Second
	// DefaultStallLimit is how long a message of a stream may wait for a caller that has stopped reading.
	DefaultStallLimit = time.Minute
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
	AdminListen string `name:"admin-listen" env:"ZERMELO_ADMIN_LISTEN" default:"${default_admin_listen}" placeholder:"HOST:PORT" help:"Address of the admin port, plain HTTP with /metrics, /healthz and /readyz. Default: off."`

	// MemoBudget is the memory, in bytes, that the memo and the search stack of one request may use.
	MemoBudget Bytes `name:"memo-budget" env:"ZERMELO_MEMO_BUDGET" default:"${default_memo_budget}" placeholder:"BYTES" help:"Memory for the memo of one request, such as 512MiB or 2GiB; the table of a kernel may take twice that. Default: ${default}."`

	// Memory is the memory, in bytes, that all calls may use together. 0: half of what there is.
	Memory Bytes `name:"memory" env:"ZERMELO_MEMORY" default:"${default_memory}" placeholder:"BYTES" help:"Memory for the memos and tables of all requests together, such as 4GiB. Default: half of what the machine or its cgroup has."`

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
}

// Default returns the settings in force when nothing is said.
func Default() Config {
	return Config{
		Listen:      DefaultListen,
		AdminListen: DefaultAdminListen,
		MemoBudget:  DefaultMemoBudget,
		Memory:      DefaultMemory,
		MaxSolves:   DefaultMaxSolves,
		MaxStreams:  DefaultMaxStreams,
		LogFormat:   DefaultLogFormat,
		LogLevel:    DefaultLogLevel,
		DrainDelay:  DefaultDrainDelay,
		DrainGrace:  DefaultDrainGrace,
		StallLimit:  DefaultStallLimit,
	}
}
