import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { ENDING_SIGNALS } from '../input/cli-error.js';
import { KEY, refusal, runCli, useScriptedApi } from '../e2e/scripted-api.js';

const [ADA, BEN] = [randomUUID(), randomUUID()];
const { api } = useScriptedApi();
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-eval-'));
  file = join(folder, 'questions.jsonl');
  const lines = [ADA, BEN].map((person) => JSON.stringify({ question: 'Where?', words: ['here'], person }));
  await writeFile(file, lines.join('\n'));
});
afterAll(() => rm(folder, { recursive: true }));
const measure = () =>
  runCli(['memories', 'eval', file, '--reason', 'a test of recall'], { url: api.url, key: KEY });

it.each(ENDING_SIGNALS)(
  'ends every key that acts as somebody else at %s, and names one that could not be ended',
  async (signal) => {
    const ids = [randomUUID(), randomUUID()] as const;
    const [made, ended]: [string[], string[]] = [[], []];
    api.answers['POST /v1/keys'] = (body) => {
      const { personId, scopes } = JSON.parse(body) as { personId: string; scopes: string[] };
      const id = ids[made.length]!;
      made.push(id);
      return { status: 201, body: { id, personId, key: KEY, scopes } };
    };
    let isAsked = false;
    api.answers['GET /v1/memories/why'] = () => {
      isAsked = true;
      return 'silent';
    };
    api.answers[`DELETE /v1/keys/${ids[0]}`] = () => refusal(503, 'unavailable', 'memory is down');
    api.answers[`DELETE /v1/keys/${ids[1]}`] = () => {
      ended.push(ids[1]);
      return { status: 204 };
    };
    const { exit, texts } = measure();
    await eventually('the first question', () => isAsked);
    // The signal itself would end the tests: their runner listens, too.
    process.listeners(signal).at(-1)!(signal);
    expect(await exit).toBe(1);
    expect(ended).toEqual([ids[1]]);
    expect(texts.notes).toContain(`end it with kith keys revoke ${ids[0]}: memory is down`);
  },
);

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('ends at %s with the code of that signal', async (signal, code) => {
  const id = randomUUID();
  api.answers['POST /v1/keys'] = (body) => ({
    status: 201,
    body: { ...(JSON.parse(body) as object), id, key: KEY },
  });
  let isAsked = false;
  api.answers['GET /v1/memories/why'] = () => {
    isAsked = true;
    return 'silent';
  };
  api.answers[`DELETE /v1/keys/${id}`] = () => ({ status: 204 });
  const { exit } = measure();
  await eventually('the first question', () => isAsked);
  process.listeners(signal).at(-1)!(signal);
  expect(await exit).toBe(code);
});

it('at Ctrl-C waits for no key that is being made, and a second one tells which keys are not ended', async () => {
  const id = randomUUID();
  let calls = 0;
  api.answers['POST /v1/keys'] = (body) => {
    const { personId, scopes } = JSON.parse(body) as { personId: string; scopes: string[] };
    calls += 1;
    return calls === 1 ? { status: 201, body: { id, personId, key: KEY, scopes } } : 'silent';
  };
  let isEnding = false;
  api.answers[`DELETE /v1/keys/${id}`] = () => {
    isEnding = true;
    return 'silent';
  };
  const listening = () => ENDING_SIGNALS.map((signal) => process.listenerCount(signal));
  const before = listening();
  const { texts } = measure();
  await eventually('the second key', () => calls === 2);
  process.listeners('SIGINT').at(-1)!('SIGINT');
  // The next signal, be it another one, is left to the program, which leaves at once.
  expect(listening()).toEqual(before);
  await eventually('the end of the first key', () => isEnding);
  expect(texts.notes).toContain(`a key that acts as ${BEN} for up to an hour may have been made`);
  expect(texts.notes).not.toContain(id);
  const leave = process.listeners('exit').at(-1)!;
  leave(0);
  expect(texts.notes).toContain(`end it with kith keys revoke ${id}`);
  process.off('exit', leave);
});
