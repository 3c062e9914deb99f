import { expect, it } from '@jest/globals';
import { Bench } from '../testing-service.js';
import { encodeMessage } from './entry.js';
import { RequestAnswerer } from './request-answerer.js';

const bench = Bench.forThisFile();
const DAY_AHEAD = Date.now() + 86_400_000;

it.each([
  ['a first time', 'answered', 0],
  ['once more, after its process died', 'left until the clock is known', 1],
])('a request that comes %s while Redis does not tell its time is %s', async (_, become, deaths) => {
  const answered = await answer({ isTrusted: false, now: () => null, ask: async () => null }, deaths);
  expect(answered).toEqual(
    become === 'answered' ? { end: 'acknowledged', ran: [1] } : { end: 'failed', ran: [] },
  );
});

it('a request is not taken for late by a clock that was set long ago', async () => {
  const clock = { isTrusted: false, now: () => DAY_AHEAD, ask: async () => Date.now() };
  expect(await answer(clock, 0)).toEqual({ end: 'acknowledged', ran: [1] });
});

/** Has a request answered that was sent just now. */
async function answer(clock: object, deaths: number) {
  const commands = bench.look();
  const ran: unknown[] = [];
  const handling = {
    commands,
    group: 'calc',
    keyPrefix: bench.keyPrefix,
    log: bench.logger,
    observe: () => undefined,
    handlerOf: () => async (asked: unknown) => void ran.push(asked),
  };
  const stream = `${bench.keyPrefix}request:calc`;
  const reply = { stream: `${bench.keyPrefix}reply`, requestId: '1', timeoutMs: 30_000 };
  const fields = encodeMessage({ json: '1', correlationId: 'test', pattern: 'calc.double', reply });
  const id = (await commands.xadd(stream, '*', ...fields))!;
  const entry = { stream, id, fields, failures: 0, deaths };
  const end = await new RequestAnswerer(handling, clock as never).answer(entry, 'calc.double');
  return { end, ran };
}
