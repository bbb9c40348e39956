package call

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// Work passes the statistics of one search on to its call, while they grow.
type Work struct {
	call               *Call
	game               string
	positions, entries int64
}

// Work begins the work of one search for a position of this game.
func (c *Call) Work(game string) *Work { return &Work{call: c, game: game} }

// SoFar notes the work of the search so far; nil where that is not known.
func (w *Work) SoFar(s *zermelov1.Statistics) {
	if s == nil {
		return
	}
	w.call.Worked(w.game, s.GetPositionsExpanded()-w.positions, s.GetMemoEntries()-w.entries)
	w.positions, w.entries = s.GetPositionsExpanded(), s.GetMemoEntries()
}

// Over notes that the search has ended, and that its memo is gone.
func (w *Work) Over() {
	w.call.Worked(w.game, 0, -w.entries)
	w.entries = 0
}
