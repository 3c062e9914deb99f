import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
afterAll(() => model.stop());

it.each([
  ['heartbeat', 0],
  ['message', 1],
] as const)('a %s whose talk fits no more ends %p epochs', async (origin, count) => {
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
  await composeAnswer(parts, { ...claim, burst }, shell, new AbortController().signal);
  const epochs = await talk.stores.query('SELECT FROM epochs WHERE conversation_id = $1', [
    speaker.conversationId,
  ]);
  expect(epochs).toHaveLength(count);
});
