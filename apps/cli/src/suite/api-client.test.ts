import { describe, expect, it } from '@jest/globals';
import { ACCEPTED, DONE, KEY, refusal, useScriptedApi } from '../e2e/scripted-api.js';
import { ConnectionLost, explainFailure, NothingAnswers } from './api-client.js';

const { api, cli } = useScriptedApi();

describe('a call past the requests of a minute', () => {
  const tooMany = (seconds: string) => {
    const { headers, ...rest } = refusal(429, 'rate_limited', `too many requests; try again in ${seconds} s`);
    return { ...rest, headers: { ...headers, 'retry-after': seconds } };
  };
  const listed = () => cli(['memories', 'list']);

  it('is made again when it is welcome', async () => {
    let refused = 0;
    api.answers['GET /v1/memories'] = () => ((refused += 1) > 1 ? null : tooMany('1'));
    const { code, out, notes } = await listed();
    expect([code, out]).toEqual([0, expect.stringContaining('My dog is called Rex')]);
    expect(notes).toContain('too many requests in a minute: waiting 1 s');
  });

  it('is made again when it is welcome, also where it says something', async () => {
    let refused = 0;
    api.answers['POST /v1/chat'] = () => ((refused += 1) > 1 ? null : tooMany('1'));
    api.chats = [[ACCEPTED, DONE]];
    const { code, out, notes } = await cli(['chat', '--message', 'hi']);
    expect([code, out]).toEqual([0, 'Hello there, friend\n']);
    expect(notes).toContain('too many requests in a minute: waiting 1 s');
    expect(api.seen).toHaveLength(1);
  });

  it('fails where that is more than a minute away', async () => {
    api.answers['GET /v1/memories'] = () => tooMany('900');
    expect(await listed()).toMatchObject({ code: 1, notes: expect.stringContaining('try again in 900 s') });
  });
});

it.each(['“kth_x”', 'kth_…', 'kth_one\ntwo', KEY.slice(0, -1), ''])(
  'a key like %j is refused',
  async (key) => {
    for (const command of [['companions'], ['chat', 'hi']]) {
      const { code, notes } = await cli(command, { key });
      expect([code, notes]).toEqual([2, expect.stringContaining('the key is cut or mistyped')]);
    }
    expect(api.seen).toEqual([]);
  },
);

it('an address that redirects is named with the one to set', async () => {
  api.answers['GET /v1/companions'] = () => ({
    status: 308,
    headers: { location: 'https://kith.example/v1/companions' },
  });
  const { code, notes } = await cli(['companions']);
  const problem = `kith: ${api.url} redirects to https://kith.example: set KITH_URL or --url to it\n`;
  expect([code, notes]).toEqual([1, problem]);
});

it("an address that leads to a proxy's sign-in is not Kith's", async () => {
  api.answers['GET /v1/companions'] = () => ({
    status: 302,
    headers: { location: 'https://login.example/?to=/v1/companions' },
  });
  const { code, notes } = await cli(['companions']);
  const problem = `kith: ${api.url} answered 302 and is not Kith: check KITH_URL or --url\n`;
  expect([code, notes]).toEqual([1, problem]);
});

it('a call whose connection ends may have been done', async () => {
  api.answers['GET /v1/companions'] = () => 'cut';
  const { code, notes } = await cli(['companions']);
  const problem = 'kith: the connection broke off before the answer: it may have been done';
  expect([code, notes]).toEqual([1, expect.stringContaining(problem)]);
});

it('a call without an answer in time is not worded as a suite that does not run', () => {
  const cause = new Error('timeout');
  const error = explainFailure({ kind: 'timed-out', timeoutMs: 30_000, cause }, 'http://x', true);
  expect(error.message).toContain('no answer from http://x within 30 s: it may be at work still');
  expect(error).not.toBeInstanceOf(ConnectionLost);
});

it('a time out counts as a connection that ended, but not one of an attempt to connect', () => {
  const timedOut = (more: object) => Object.assign(new Error(), { code: 'ETIMEDOUT' }, more);
  const attempt = timedOut({ syscall: 'connect' });
  const attempts = Object.assign(new AggregateError([attempt, attempt]), { code: 'ETIMEDOUT' });
  const explained = (cause: Error) =>
    explainFailure(
      { kind: 'unreachable', cause: new TypeError('fetch failed', { cause }) },
      'http://x',
      true,
    );
  expect(explained(timedOut({ syscall: 'read' }))).not.toBeInstanceOf(NothingAnswers);
  for (const cause of [attempt, attempts]) expect(explained(cause)).toBeInstanceOf(NothingAnswers);
});
