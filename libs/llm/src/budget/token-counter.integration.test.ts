import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '@kith/testing';
import type { ChatMessage } from '../messages.js';
import { createModelRoles } from '../settings/model-roles.js';

let host: ScriptedModel;
beforeAll(async () => {
  host = await ScriptedModel.start();
});
afterEach(() => host.reset());
afterAll(() => host.stop());

const CONTENT = '1234 '.repeat(200);

/** Tokens of `CONTENT` at a model, before and after it was asked these messages. */
async function learn(chatModels: string, messages: readonly ChatMessage[]) {
  host.replyWith(() => 'Well.');
  const { chat, cards } = createModelRoles({
    ...host.settings(5_000),
    chatModels,
    ollama: { baseUrl: host.url, contextTokens: 8_192 },
  });
  const before = cards.counter.quick(chatModels)(CONTENT);
  await chat.complete({ messages });
  return { before, after: cards.counter.quick(chatModels)(CONTENT) };
}

describe('the count of tokens', () => {
  it.each([
    ['compatible:one', true],
    // It leaves out what it had kept: learned from, prompts would outgrow its context.
    ['ollama:one', false],
  ])('learns from what the host of %s counts: %j', async (model, learns) => {
    const { before, after } = await learn(model, [{ role: 'user', content: CONTENT }]);
    expect(after < before).toBe(learns);
  });

  it('learns the same where the history holds what another model had thought', async () => {
    const toolCalls = [{ id: 'c', name: 'look_up', arguments: {} }];
    const learnBeside = (text: string) => {
      const reasoning = [{ origin: 'groq:two', text, block: { reasoning: text } }];
      return learn('compatible:one', [
        // Prose, of which the host counts as much as is estimated: nothing meets a correction's bounds.
        { role: 'user', content: 'word '.repeat(400) },
        { role: 'assistant', content: '', toolCalls, reasoning },
        { role: 'tool', content: 'sunny', toolCallId: 'c', name: 'look_up' },
      ]);
    };
    expect(await learnBeside('They ask for the weather. '.repeat(50))).toEqual(await learnBeside(''));
  });
});
