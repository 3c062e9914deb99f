import { describe, expect, it } from '@jest/globals';
import { CallHooks } from '../../hooks/call-hooks.js';
import type { CallResponse } from '../../hooks/model-call.js';
import { createModelRoles } from '../../settings/model-roles.js';
import { first, second, FIRST, SECOND, chain, request, collect } from './chain-of-two.js';

const HALF_CALL = { tool_calls: [{ id: 'a', function: { name: 'look_up', arguments: '{"ci' } }] };

/** Thoughts that no model writes. */
const ENDLESS = ['x'.repeat(250_000), 'y'.repeat(250_000)];
/** Parts of them, as Mistral's models write them. */
const THOUGHT = ENDLESS.map((text) => ({ type: 'thinking', thinking: [{ type: 'text', text }] }));
const THINKING = { choices: [{ delta: { content: THOUGHT }, finish_reason: 'stop' }] };

/** Tests what of an answer is streamed, taken back, and kept as a thought. */
export function streamedAnswers(): void {
  describe('a chain of models', () => {
    it('takes a model that thinks for one that answers', async () => {
      const role = chain({ firstTokenTimeoutMs: 1_000 });
      first.replyWith(() => ({ text: 'Well.', reasoning: ['I', ' think', ' it', ' over.'] }));
      first.next({ kind: 'slow', thoughtMs: 500 });
      const { tries, thought } = await role.complete(request);
      expect(tries).toMatchObject([{ model: FIRST, kind: 'answered' }]);
      expect(thought).toBe('I think it over.');
    });

    it('tells that what was streamed does not count any more', async () => {
      first.next({ kind: 'cut', afterPieces: 2 });
      const events = await collect(chain().stream(request));
      const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
      expect(story).toEqual(['The', ' first', 'restart', 'The', ' first', ' one', ' speaks.', 'end']);
    });

    it.each([
      ['compatible:one', { choices: [{ delta: { content: 'The first' }, finish_reason: 'content_filter' }] }],
      [
        'compatible:one',
        { choices: [{ delta: { content: 'The first', ...HALF_CALL }, finish_reason: 'content_filter' }] },
      ],
      [
        'gemini:three',
        { candidates: [{ content: { parts: [{ text: 'The first' }] }, finishReason: 'SAFETY' }] },
      ],
    ])('takes back what %s said before its filter cut it, and asks the next one', async (model, event) => {
      const half = { kind: 'status', status: 200, body: `data: ${JSON.stringify(event)}\n\n` } as const;
      first.next(half);
      const events = await collect(chain({ chatModels: `${model},${SECOND}` }).stream(request));
      const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
      expect(story).toEqual(['The first', 'restart', 'The', ' second', ' one', ' speaks.', 'end']);
      first.next(half);
      await expect(chain({ chatModels: model }).complete(request)).rejects.toThrow(`${model} refused`);
    });

    it.each([
      ['gemini:three', { kind: 'reply', reply: { reasoning: ENDLESS, text: 'So.' } }],
      [FIRST, { kind: 'reply', reply: { text: `<think>${ENDLESS.join(' ')}</think>So.` } }],
      [FIRST, { kind: 'status', status: 200, body: `data: ${JSON.stringify(THINKING)}\n\n` }],
    ] as const)('gives a thought without end of %s up, and counts it', async (model, behaviour) => {
      const ends: CallResponse[] = [];
      const hooks = new CallHooks([(end) => ends.push(end)]);
      const settings = { ...first.settings(5_000), gemini: { apiKey: 'k', baseUrl: first.url } };
      const role = createModelRoles({ ...settings, chatModels: model, maxTries: 1 }, undefined, hooks).chat;
      first.next(behaviour);
      await expect(role.complete(request)).rejects.toThrow(`${model} garbled`);
      expect(ends[0]!.usage.completionTokens).toBeGreaterThan(100_000);
    });

    it('asks no more where the answer came to its limit in thoughts, and trusts the model as before', async () => {
      const role = chain({ chatModels: FIRST });
      first.replyWith(() => ({ reasoning: ['Hm.'], isCut: true }));
      for (let again = 0; again < 5; again++)
        await expect(role.complete(request)).rejects.toThrow(`${FIRST} out-of-tokens`);
      expect(first.requests).toHaveLength(5);
      expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
    });

    it('trusts a model that thinks and then says nothing, and tells of it; not one that says nothing at all', async () => {
      const role = chain({ chatModels: FIRST });
      first.replyWith(() => ({ reasoning: ['Hm.'] }));
      for (let again = 0; again < 3; again++)
        await expect(role.complete(request)).rejects.toThrow(`${FIRST} empty, ${FIRST} empty`);
      await expect(role.probe()).rejects.toThrow();
      expect(role.status()).toMatchObject([{ isTrusted: true, lastError: 'empty' }]);
      first.replyWith(() => 'Hello.');
      expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
      first.replyWith(() => '\n');
      for (let again = 0; again < 3; again++) await expect(role.complete(request)).rejects.toThrow();
      expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'empty' }]);
    });

    it('keeps silent about tries that had said nothing', async () => {
      first.next({ kind: 'empty' });
      const events = await collect(chain().stream(request));
      expect(events.map(({ type }) => type)).not.toContain('restart');
    });

    it('keeps the thoughts of a reasoning model to itself', async () => {
      const role = chain();
      first.replyWith(() => '<think>They greet me.</think> Hello you.');
      expect(await role.complete(request)).toMatchObject({ text: 'Hello you.' });
      first.replyWith(() => 'They greet me.\n</think>\n\nHello you.');
      const events = await collect(role.stream(request));
      const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
      expect(story).toEqual(['They', ' greet', ' me.', '\n', 'restart', 'Hello', ' you.', 'end']);
      expect(events.at(-1)).toMatchObject({ result: { text: 'Hello you.', thought: 'They greet me.' } });
      const toolCalls = [{ name: 'look', arguments: {} }];
      first.replyWith(() => ({ text: 'I look it up.\n</think>\n\n', toolCalls }));
      const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
      const called = await collect(role.stream({ ...request, tools }));
      expect(called.slice(-2)).toMatchObject([
        { type: 'restart' },
        { type: 'end', result: { text: '', thought: 'I look it up.', toolCalls: [{ name: 'look' }] } },
      ]);
    });
  });

  describe('a call of a tool', () => {
    it.each([FIRST, SECOND, 'gemini:three'])('by %s holds nothing that no store can hold', async (label) => {
      const role = chain({ chatModels: label });
      const odd = { 'te\0xt': 'a\0b\ud800', list: [{ of: '\0' }] };
      const answer = () => ({ text: '', toolCalls: [{ name: 'send_note', arguments: odd }] });
      first.replyWith(answer);
      second.replyWith(answer);
      const tools = [{ name: 'send_note', description: 'Sends.', parameters: { type: 'object' } }];
      expect((await role.complete({ ...request, tools })).toolCalls).toMatchObject([
        { name: 'send_note', arguments: { text: 'ab\ufffd', list: [{ of: '' }] } },
      ]);
    });
  });
}
