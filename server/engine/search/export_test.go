package search

// Booked is how many bytes the search has booked in its ledger.
func (s *Search[P, M, K]) Booked() int64 { return s.ledger.used }
