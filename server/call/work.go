package call

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// Work passes the statistics of one search on to its call, while they grow.
type Work struct {
	// Call may be nil.
	Call               *Call
	positions, entries int64
}

// SoFar notes the work of the search so far.
func (w *Work) SoFar(s *zermelov1.Statistics) {
	w.Call.Worked(s.GetPositionsExpanded()-w.positions, s.GetMemoEntries()-w.entries)
	w.positions, w.entries = s.GetPositionsExpanded(), s.GetMemoEntries()
}

// Over notes that the search has ended after this work, and that its memo is gone.
func (w *Work) Over(s *zermelov1.Statistics) {
	w.SoFar(s)
	w.Call.Worked(0, -w.entries)
	w.entries = 0
}
