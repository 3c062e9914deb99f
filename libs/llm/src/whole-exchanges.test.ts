import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ToolCall } from './messages.js';
import { wholeExchanges } from './whole-exchanges.js';

const call = (id: string): ToolCall => ({ id, name: 'look_up', arguments: {} });
const asks = (content: string, ...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content,
  toolCalls: ids.map(call),
  reasoning: [{ origin: 'a:b', text: 'hm', block: {} }],
});
const result = (toolCallId: string): ChatMessage => ({
  role: 'tool',
  content: toolCallId,
  toolCallId,
  name: 'look_up',
});
const user: ChatMessage = { role: 'user', content: 'Hi' };

/** Roles, with the ids of calls and results. */
const shape = (messages: readonly ChatMessage[]) =>
  wholeExchanges(messages).map((message) => {
    if (message.role === 'tool') return `tool ${message.toolCallId}`;
    return [
      message.role,
      ...(message.role === 'assistant' ? (message.toolCalls ?? []) : []).map(({ id }) => id),
    ].join(' ');
  });

describe('wholeExchanges', () => {
  it('leaves a whole history as it is', () => {
    const whole = [user, asks('', 'a', 'b'), result('a'), result('b'), user];
    expect(wholeExchanges(whole).map(({ role }) => role)).toEqual(whole.map(({ role }) => role));
    expect(wholeExchanges(whole.slice(0, -1))).toEqual(whole.slice(0, -1));
  });

  it('names calls and results as every host takes it, also where a model made the name up', () => {
    const named = (name: string) => {
      const { toolCalls: [one] = [], ...said } = asks('', 'a') as Extract<ChatMessage, { role: 'assistant' }>;
      const messages: ChatMessage[] = [
        user,
        { ...said, toolCalls: [{ ...one!, name }] },
        { role: 'tool', content: 'a', toolCallId: 'a', name },
      ];
      return wholeExchanges(messages).flatMap((message) =>
        message.role === 'tool'
          ? message.name
          : message.role === 'assistant'
            ? message.toolCalls![0]!.name
            : [],
      );
    };
    expect(named('functions.search<|channel|>')).toEqual(Array(2).fill('functions_search__channel__'));
    expect(named('')).toEqual(['unknown', 'unknown']);
    expect(named('ä'.repeat(99))).toEqual(Array(2).fill('_'.repeat(64)));
  });

  it('leaves out results without their call, and calls without their result', () => {
    expect(shape([result('z'), user, result('y'), asks('', 'a', 'b'), result('b'), result('x')])).toEqual([
      'user',
      'assistant b',
      'tool b',
    ]);
    expect(shape([user, asks('', 'a'), user])).toEqual(['user', 'user']);
    expect(shape([user, asks('Let me see.', 'a')])).toEqual(['user', 'assistant']);
  });

  it('puts results in the order of their calls, each once', () => {
    expect(shape([user, asks('', 'a', 'b'), result('b'), result('a'), result('b')])).toEqual([
      'user',
      'assistant a b',
      'tool a',
      'tool b',
    ]);
  });

  it('gives an id of its own to a call whose id was there before or is no id', () => {
    const messages = [asks('', 'a'), result('a'), asks('', 'a', 'ö'), result('a'), result('ö')];
    expect(shape(messages)).toEqual([
      'assistant a',
      'tool a',
      'assistant call-1 call-2',
      'tool call-1',
      'tool call-2',
    ]);
  });

  it('tells calls apart that a host gave one id, each with its own result', () => {
    const results = ['first', 'second'].map((content) => ({ ...result('a'), content }));
    const messages = [user, asks('', 'a', 'a'), ...results];
    expect(shape(messages)).toEqual(['user', 'assistant a call-1', 'tool a', 'tool call-1']);
    expect(wholeExchanges(messages).map(({ content }) => content)).toEqual(['Hi', '', 'first', 'second']);
  });

  it('takes the reasoning away from calls that are not all there, and from an earlier turn', () => {
    expect(wholeExchanges([asks('', 'a', 'b'), result('a')])[0]).not.toHaveProperty('reasoning');
    expect(wholeExchanges([asks('', 'a'), result('a')])[0]).toHaveProperty('reasoning');
    expect(wholeExchanges([asks('', 'a'), result('a'), user])[0]).not.toHaveProperty('reasoning');
  });
});
