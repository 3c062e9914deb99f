import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HookList } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { ScriptedModel } from '@kith/testing';
import { withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import { TurnHooks } from '../hooks/turn-hooks.js';
import { toolsOver } from '../tools/testing-tools.js';
import { composeAnswer } from './compose-answer.js';

const talk = withTalk();
let model: ScriptedModel;

beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterEach(() => model.reset());
afterAll(() => model.stop());

/** Answers a message, or what else the origin says, of somebody who has told much before. */
async function answerTalkative(origin: 'heartbeat' | 'message', useTools = true) {
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
    { ...parts, useTools },
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
    model.next(tooLong);
    model.next(tooLong);
    const { turn } = await answerTalkative('message', false);
    expect(turn).toMatchObject({ outcome: 'answered', reason: null });
    const lengths = model.requests.map(({ messages }) => messages.map(({ text }) => text).join('').length);
    expect(lengths).toHaveLength(3);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect(lengths[2]).toBeLessThan(lengths[0]! * 0.6);
  });

  it('ends in an apology where no length will do, and says why', async () => {
    model.always(tooLong);
    const { turn } = await answerTalkative('message', false);
    expect(turn).toMatchObject({
      outcome: 'apologised',
      reason: 'no chat model answered: compatible:scripted too-long',
    });
    expect(model.requests).toHaveLength(4);
  });
});
