package rpc

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// FrameBytes is what frames are cut at.
const FrameBytes = frameBytes

// OnStreamEnd makes the service report the work of each stream when its handler ends.
func (s *Service) OnStreamEnd(f func(*zermelov1.Statistics)) { s.streamEnded = f }

// ToStatus is toStatus.
var ToStatus = toStatus
