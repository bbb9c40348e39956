// A client in another language, from the .proto files alone: solves, streams, cancels, and reads the details of errors.
//
//   node check.mjs HOST:PORT
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const protos = fileURLToPath(new URL('../../proto', import.meta.url));
const loaded = protoLoader.loadSync('zermelo/v1/solver.proto', {
  includeDirs: [protos], longs: String, enums: String, oneofs: true, defaults: false,
});
const { SolverService } = grpc.loadPackageDefinition(loaded).zermelo.v1;
const client = new SolverService(process.argv[2], grpc.credentials.createInsecure());

// The messages of google.rpc that errors carry, as far as they are read here.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
  message FieldViolation { string field = 1; string description = 2; string reason = 3; }
  message RetryInfo {}
`);

function details(error) {
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const found = {};
  for (const any of root.lookupType('Status').decode(bytes).details) {
    const name = any.typeUrl.split('.').at(-1);
    found[name] = root.lookupType(name).decode(any.value);
  }
  return found;
}

function unary(method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, { deadline: Date.now() + 10_000 }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

async function failed(promise) {
  return promise.then(() => assert.fail('the call should have failed'), (error) => error);
}

const checks = {
  async 'Solve finds the moves that keep a win'() {
    const { solution } = await unary('solve', {
      position: { nim: { piles: [7, 5, 3], convention: 'PLAY_CONVENTION_MISERE' } },
    });
    assert.equal(solution.outcome, 'OUTCOME_WIN');
    assert.deepEqual(solution.bestMoves.map((m) => m.notation), ['7>6', '5>4', '3>2']);
    // The position after a move is a request.
    const after = await unary('solve', { position: solution.bestMoves[0].next[0] });
    assert.equal(after.solution.outcome, 'OUTCOME_LOSS');
  },

  async 'a cost of 0 can be seen'() {
    const { solution } = await unary('solve', { position: { guessNumber: { low: 7, high: 7 } } });
    assert.equal(solution.cost, '0');
    assert.equal(solution.bestMoveCount, '0');
  },

  async 'Analyze ranks every move'() {
    const answer = await unary('analyze', { position: { guessNumber: { low: 1, high: 10 } } });
    assert.equal(answer.moves.length, 10);
    assert.equal(answer.moves[0].move.notation, '7');
    assert.equal(answer.moves[0].cost, '16');
    assert.equal(answer.mainLine.length, Number(answer.movesToEnd));
  },

  async 'BatchSolve has an error in its place'() {
    const { results } = await unary('batchSolve', {
      positions: [{ guessNumber: { low: 1, high: 10 } }, { guessNumber: { low: 5, high: 4 } }],
    });
    assert.equal(results[0].solution.cost, '16');
    assert.equal(results[1].error.reason, 'INVALID_FIELD');
    assert.equal(results[1].error.fieldViolations[0].field, 'positions[1].guess_number.low');
  },

  async 'Explain streams every event once and ends with a summary'() {
    const stream = client.explain({ position: { canIWin: { maxChoosableInteger: 15, desiredTotal: 100 } } });
    let events = 0;
    let summary;
    for await (const message of stream) {
      for (const event of message.events?.events ?? []) {
        assert.equal(Number(event.sequence), ++events);
      }
      summary = message.summary ?? summary;
    }
    assert.equal(events, 3164);
    assert.equal(Number(summary.eventCount), events);
    assert.equal(summary.completion, 'COMPLETION_COMPLETE');
  },

  async 'a stream that is cancelled ends'() {
    const stream = client.explain({
      position: { canIWin: { maxChoosableInteger: 30, desiredTotal: 400 } }, memoPolicy: 'MEMO_POLICY_NONE',
    });
    const error = await new Promise((resolve) => {
      stream.once('data', () => stream.cancel());
      stream.on('data', () => {});
      stream.on('error', resolve);
    });
    assert.equal(error.code, grpc.status.CANCELLED);
  },

  async 'the details of an error name the field'() {
    const error = await failed(unary('solve', { position: { canIWin: { maxChoosableInteger: 4, desiredTotal: 9, chosen: [2, 2] } } }));
    assert.equal(error.code, grpc.status.INVALID_ARGUMENT);
    const { ErrorInfo, BadRequest } = details(error);
    assert.equal(ErrorInfo.domain, 'zermelo');
    assert.equal(ErrorInfo.reason, 'INVALID_FIELD');
    assert.equal(BadRequest.fieldViolations[0].field, 'position.can_i_win.chosen[1]');
  },

  async 'a deadline is kept'() {
    const error = await failed(new Promise((resolve, reject) => {
      client.analyze({ position: { canIWin: { maxChoosableInteger: 23, desiredTotal: 200 } } }, { deadline: Date.now() + 200 },
        (e, answer) => (e ? reject(e) : resolve(answer)));
    }));
    // The server answers shortly before its transport resets the stream, which would be CANCELLED here.
    assert.equal(error.code, grpc.status.DEADLINE_EXCEEDED);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok: ${name}`);
}
client.close();
