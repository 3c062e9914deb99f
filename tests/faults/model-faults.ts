import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';
import { blackHole, cut, network, refuse } from './network-faults.ts';

/** The model meets each request of a while like this. */
function model(what: string, behaviour: Parameters<FaultSuite['model']['always']>[0]): Fault {
  return {
    name: `model ${what}`,
    reachesModel: true,
    async happen({ suite, random }) {
      await sleep(random.between(0, 400));
      suite.model.always(behaviour);
      await sleep(random.between(800, 2_500));
      suite.model.always(null);
      return true;
    },
  };
}

export const MODEL_FAULTS: readonly Fault[] = [
  network('model', refuse, 'out of reach', { reachesModel: true }),
  network('model', blackHole, 'black hole', { reachesModel: true }),
  network('model', cut, 'connections cut', { reachesModel: true }),
  model('429 with retry-after', { kind: 'rate-limit', retryAfterSeconds: 1 }),
  model('429 for the spend limit', { kind: 'spend-limit' }),
  ...[500, 502, 503, 529].map((status) => model(String(status), { kind: 'status', status })),
  model('without a first byte', { kind: 'hang' }),
  model('slow stream', { kind: 'slow', pieceMs: 60 }),
  model('cut stream', { kind: 'cut', afterPieces: 2 }),
  model('error after 200', { kind: 'error-after-200', afterPieces: 2 }),
  model('empty', { kind: 'empty' }),
  model('truncated JSON', { kind: 'truncated-json' }),
  model('wrong shape', { kind: 'status', status: 200, body: { unexpected: true } }),
  model('10 MB', { kind: 'huge', characters: 10_000_000 }),
  model('no UTF-8', { kind: 'garbage' }),
  model('endless tool loop', {
    kind: 'reply',
    reply: { toolCalls: [{ name: 'search_memory', arguments: { query: 'again' } }] },
  }),
];
