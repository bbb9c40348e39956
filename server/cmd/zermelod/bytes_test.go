package main_test

import (
	"context"
	"math/rand/v2"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// ChangeBytes are the options of a client whose callers change the bytes of some requests.
func ChangeBytes() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(func(
			ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
		) error {
			return invoke(ctx, method, req, reply, cc, append(opts, changes(ctx)...)...)
		}),
		grpc.WithChainStreamInterceptor(func(
			ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption,
		) (grpc.ClientStream, error) {
			return open(ctx, desc, cc, method, append(opts, changes(ctx)...)...)
		}),
	}
}

type changesKey struct{}

// withChanges has the bytes of a call changed at random.
func withChanges(ctx context.Context, random *rand.Rand) context.Context {
	return context.WithValue(ctx, changesKey{}, random)
}

func changes(ctx context.Context) []grpc.CallOption {
	random, ok := ctx.Value(changesKey{}).(*rand.Rand)
	if !ok {
		return nil
	}
	return []grpc.CallOption{grpc.ForceCodec(&byteChanger{random})}
}

// byteChanger is the codec of requests some of whose bytes are others, or missing.
type byteChanger struct{ random *rand.Rand }

func (*byteChanger) Name() string { return "proto" }

func (c *byteChanger) Marshal(message any) ([]byte, error) {
	data, err := proto.Marshal(message.(proto.Message))
	if err != nil || len(data) == 0 {
		return data, err
	}
	for range 1 + c.random.IntN(3) {
		data[c.random.IntN(len(data))] = byte(c.random.Uint32())
	}
	return data[:len(data)-c.random.IntN(2)], nil
}

func (*byteChanger) Unmarshal(data []byte, message any) error {
	return proto.Unmarshal(data, message.(proto.Message))
}
