import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outreachContract } from '@kith/contracts';
import { HookList, loadHooks, type Hook } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { ScriptedModel } from '@kith/testing';
import { withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { Claim } from '../inbox/claim.js';
import { toolsOver } from '../tools/testing-tools.js';
import type { AnswerParts } from './answer-parts.js';
import { answerTurn } from './answer-turn.js';

const talk = withTalk();
const EXAMPLES = join(import.meta.dirname, '../../../../docs/hooks');
let model: ScriptedModel;
let parts: AnswerParts;
let told: string[];
/** Word of the scheduler on outreach that is written. */
let mayArrive = true;

beforeAll(async () => {
  model = await ScriptedModel.start();
  const messenger = {
    canAsk: true,
    ask: (contract: unknown) =>
      contract === outreachContract.mayArrive
        ? Promise.resolve({ allowed: mayArrive })
        : Promise.reject(new Error('nobody answers')),
  } as unknown as Messenger;
  const permittedTools = toolsOver(talk.database, []).permitted;
  parts = testingParts(talk.database, model, { messenger, permittedTools });
  parts.events.publish = (_, { event }) => {
    if (event.type === 'token') told.push(event.text);
  };
});
beforeEach(() => {
  model.reset();
  told = [];
});
afterAll(() => model.stop());

const hook = (more: Partial<Hook>): Hook => ({
  name: 'h',
  order: 0,
  onFailure: 'open',
  timeoutMs: 60_000,
  ...more,
});

/** Has a message answered with these hooks. Returns the turn, and what the transcript has of it. */
async function answer(hooks: HookList, text: string, more: Partial<Claim['burst'][number]> = {}) {
  const speaker = await talk.place();
  await talk.accept(speaker, randomUUID());
  const claim = await talk.claim(speaker);
  const burst = claim.burst.map((message) => ({ ...message, text, ...more }));
  const turn = await answerTurn(
    { ...parts, hooks },
    { ...claim, burst },
    randomUUID(),
    new AbortController().signal,
  );
  await commitTurn(talk.database, { ...claim, burst }, turn, false);
  const kept = await talk.rowsOf<{ text: string }>('transcript', 'text', speaker);
  const prompts = JSON.stringify(model.requests.map(({ messages }) => messages));
  return { ...turn, kept: kept.map((line) => line.text), prompts };
}

describe('our example hooks', () => {
  it('refuse a message, of which no prompt and no transcript has a word', async () => {
    const turn = await answer(await loadHooks(EXAMPLES), 'my password is hunter2');
    expect(turn).toMatchObject({
      outcome: 'apologised',
      reason: 'hook:refuse-a-word: a secret in a message',
      kept: ['Please keep that to yourself; I have not read it.'],
      details: { hooks: [{ hook: 'refuse-a-word', point: 'receive', ended: 'refused' }] },
    });
    expect(model.requests).toEqual([]);
  });

  it('add a line to the prompt of any other, and are timed in its trace', async () => {
    const turn = await answer(await loadHooks(EXAMPLES), 'hello');
    expect(turn.outcome).toBe('answered');
    expect(turn.prompts).toContain('Ask at most one question in a reply.');
    expect(turn.details['hooks']).toMatchObject([
      { hook: 'refuse-a-word', point: 'receive', ended: 'ok', tookMs: expect.any(Number) },
      { hook: 'add-a-line', point: 'compose', ended: 'ok' },
    ]);
  });
});

describe("an operator's hook", () => {
  it('reads a reply before anybody does, and may write it anew', async () => {
    model.replyWith(() => 'The code is 1234.');
    const hides = hook({ reply: () => ({ text: 'The code is ****.' }) });
    const { kept } = await answer(new HookList([hides]), 'what is the code?');
    expect([kept.at(-1), told]).toEqual(['The code is ****.', ['The code is ****.']]);
  });

  it('has a tool not called, of which the model is told', async () => {
    model.next({
      kind: 'reply',
      reply: { toolCalls: [{ name: 'search_memory', arguments: { query: 'x' } }] },
    });
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    const refuses = hook({ act: () => ({ refuse: 'no searching' }) });
    const turn = await answer(new HookList([refuses]), 'search for x');
    expect(turn.reply).toMatch(/a rule of the operator does not allow this/);
    expect(turn.details['hooks']).toMatchObject([{ point: 'act', ended: 'refused' }]);
  });

  it('is given at last how a turn ended, without the memories and the trace that are stored with it', async () => {
    model.replyWith(() => 'hello yourself');
    let given: object = {};
    const looks = hook({ commit: (turn) => void (given = turn as object) });
    await answer(new HookList([looks]), 'hello');
    expect(given).toMatchObject({ outcome: 'answered', reason: null, reply: 'hello yourself' });
    expect(Object.keys(given)).toEqual([
      'turnId',
      'conversationId',
      'personId',
      'companionId',
      'audience',
      'kind',
      'door',
      'origin',
      'texts',
      'outcome',
      'reason',
      'reply',
      'model',
      'degraded',
    ]);
  });

  it.each([
    ['gate', 'open', 'answered'],
    ['gate', 'closed', 'apologised'],
    ['compose', 'closed', 'apologised'],
    ['reply', 'closed', 'apologised'],
    ['commit', 'closed', 'apologised'],
    ['commit', 'open', 'answered'],
  ] as const)('that breaks at %s fails %s: the message is %s', async (point, onFailure, outcome) => {
    const breaks = hook({ onFailure, [point]: () => Promise.reject(new Error('broken')) });
    const turn = await answer(new HookList([breaks]), 'hello');
    expect(turn).toMatchObject({ outcome, details: { hooks: [{ point, ended: 'failed' }] } });
  });

  it('that refuses at the gate leaves what was said in the conversation, and says nothing', async () => {
    const refuses = hook({ gate: () => ({ refuse: 'quiet hour' }) });
    const turn = await answer(new HookList([refuses]), 'hello');
    expect(turn).toMatchObject({ outcome: 'silent', reason: 'hook:h: quiet hour', kept: ['hello'] });
  });
});

describe('outreach that is written', () => {
  const write = (hooks: HookList) =>
    answer(hooks, 'their exam was today', { origin: 'outreach', target: null });

  it('is said where it may still arrive', async () => {
    mayArrive = true;
    model.replyWith(() => 'How was it?');
    expect(await write(new HookList([]))).toMatchObject({ outcome: 'answered', kept: ['How was it?'] });
  });

  it('is dropped where its person opted out meanwhile, even during the last hook', async () => {
    mayArrive = true;
    model.replyWith(() => 'How was it?');
    const optsOut = hook({
      commit: () => {
        mayArrive = false;
        return Promise.resolve(undefined);
      },
    });
    const turn = await write(new HookList([optsOut]));
    expect(turn).toMatchObject({ outcome: 'dropped', reason: 'called-off', reply: null, kept: [] });
  });
});
