package match

// After is what a match makes of a move whose positions are too large to be sent.
var After = after
