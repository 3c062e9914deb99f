import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TurnOrigin } from '@kith/contracts';
import { createModelRoles, HookList } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { ScriptedModel } from '@kith/testing';
import { withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import { TurnHooks } from '../hooks/turn-hooks.js';
import { toolsOver } from '../tools/testing-tools.js';
import type { AnswerParts } from './answer-parts.js';
import { composeAnswer } from './compose-answer.js';

const talk = withTalk();
let model: ScriptedModel;

beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterEach(() => model.reset());
afterAll(() => model.stop());

/** Answers a message, or what else the origin says, of somebody who has told much before. */
async function answerTalkative(origin: TurnOrigin, own: Partial<AnswerParts> = {}) {
  const ask = () => Promise.reject(new Error('nobody answers'));
  const messenger = { canAsk: true, ask } as unknown as Messenger;
  const { database } = talk;
  const { permitted: permittedTools } = toolsOver(database, []);
  const parts = testingParts(database, model, { messenger, permittedTools });
  const speaker = await talk.place();
  for (let n = 0; n < 20; n += 1) {
    const words = `We spoke of ${n} things. `.repeat(25);
    await talk.sayTo(speaker, words, words);
  }
  await talk.accept(speaker, randomUUID());
  const claim = await talk.claim(speaker);
  const burst = claim.burst.map((message) => ({ ...message, origin }));
  const turnId = randomUUID();
  const hooks = new TurnHooks(new HookList(), claim, turnId);
  const shell = { turnId, personName: 'Ann', startedAt: new Date(), hooks, lines: [] };
  const turn = await composeAnswer(
    { ...parts, ...own },
    { ...claim, burst },
    shell,
    new AbortController().signal,
  );
  return { speaker, turn };
}

it.each([
  ['heartbeat', 0],
  ['message', 1],
] as const)('a %s whose talk fits no more ends %p epochs', async (origin, count) => {
  const { speaker } = await answerTalkative(origin);
  const epochs = await talk.stores.query('SELECT FROM epochs WHERE conversation_id = $1', [
    speaker.conversationId,
  ]);
  expect(epochs).toHaveLength(count);
});

describe('a prompt that is too long for its model', () => {
  const message = 'request (3892 tokens) exceeds the available context size (2048 tokens)';
  const tooLong = {
    kind: 'status' as const,
    status: 400,
    body: { error: { code: 400, message, type: 'exceed_context_size_error' } },
  };

  it('is made shorter, until the model answers', async () => {
    for (const one of [tooLong, tooLong, tooLong]) model.next(one);
    const { turn } = await answerTalkative('message', { useTools: false, maxPromptTokens: 0 });
    expect(turn).toMatchObject({
      outcome: 'answered',
      reason: null,
      details: {
        tries: ['too-long', 'too-long', 'too-long', 'answered'].map((kind) => ({ kind })),
        compaction: { lines: expect.anything() },
      },
    });
    // It has ended epochs, so none is to be ended after it.
    expect(turn).not.toHaveProperty('nextTalkTokens');
    const lengths = model.requests.map(({ messages }) => messages.map(({ text }) => text).join('').length);
    expect(lengths).toHaveLength(4);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect(lengths[3]).toBeLessThan(lengths[0]! * 0.6);
  });

  it('ends in an apology where no length will do, and says why', async () => {
    model.always(tooLong);
    const { turn } = await answerTalkative('message', { useTools: false });
    expect(turn).toMatchObject({
      outcome: 'apologised',
      reason: 'no chat model answered: compatible:scripted too-long',
    });
    expect(model.requests).toHaveLength(4);
  });

  it('is not one that another model has answered with pressure, twice', async () => {
    const chatModels = 'compatible:small,compatible:large';
    const roles = createModelRoles({ ...model.settings(20_000), chatModels });
    model.next(tooLong);
    model.replyWith(() => 'I have been so lonely without you. Why have you not written to me?');
    const { turn } = await answerTalkative('outreach', { useTools: false, roles });
    expect(turn).toMatchObject({ outcome: 'silent', reason: 'guilt', reply: null });
    expect(model.requests).toHaveLength(3);
  });
});
