import { describe, expect, it } from '@jest/globals';
import type { StreamPart } from '../provider.js';
import { readAnthropic } from './read-anthropic.js';

type Event = Parameters<typeof readAnthropic>[1] extends AsyncIterable<infer One> ? One : never;

const start = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block }) as Event;
const delta = (partial_json: string): Event => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
});

/** Parts that these events and the last one give. */
async function partsOf(...events: Event[]): Promise<StreamPart[]> {
  const source = async function* () {
    yield* events;
    yield { type: 'message_stop' } as Event;
  };
  const parts: StreamPart[] = [];
  for await (const part of readAnthropic('host:model', source())) parts.push(part);
  return parts;
}

/** Types of the parts that these events give. */
async function typesOf(...events: Event[]): Promise<string[]> {
  return (await partsOf(...events)).map(({ type }) => type).slice(0, -1);
}

describe('a sign of life of Claude', () => {
  it('is a thought that begins, since its words may be kept back', async () => {
    expect(await typesOf(start({ type: 'thinking', thinking: '', signature: '' }))).toEqual(['alive']);
    expect(await typesOf(start({ type: 'redacted_thinking', data: 'x' }))).toEqual(['alive']);
  });

  it('is what it writes of a call, and not that it opens one', async () => {
    const call = start({ type: 'tool_use', id: 'a', name: 'look_up', input: {} });
    expect(await typesOf(call, delta(''))).toEqual([]);
    expect(await typesOf(call, delta(''), delta('{}'))).toEqual(['alive']);
  });
});

describe('a block that comes whole as it is opened', () => {
  const stop = { type: 'content_block_stop', index: 0 } as Event;
  const more = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: ' you' },
  } as Event;

  it('is said, with what follows', async () => {
    expect(await partsOf(start({ type: 'text', text: 'Hello' }), more, stop)).toMatchObject([
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' you' },
      { type: 'end' },
    ]);
  });

  const calling = (input: unknown) => start({ type: 'tool_use', id: 'a', name: 'look_up', input });
  const argumentsOf = async (...events: Event[]) =>
    (await partsOf(...events)).flatMap((part) => (part.type === 'tool-call' ? [part.call.arguments] : []));

  it('is a call with its arguments, unless they come piece by piece', async () => {
    const call = calling({ city: 'Oslo' });
    expect(await argumentsOf(call, stop)).toEqual([{ city: 'Oslo' }]);
    expect(await argumentsOf(call, delta('{"city":"Bergen"}'), stop)).toEqual([{ city: 'Bergen' }]);
    expect(await argumentsOf(calling('{"city":"Oslo"}'), stop)).toEqual([{ city: 'Oslo' }]);
  });

  it.each(['', [], {}, null])('is a call without arguments where it has %j for them', async (input) => {
    expect(await argumentsOf(calling(input), stop)).toEqual([{}]);
    expect(await typesOf(calling(input))).toEqual([]);
  });

  it('is a sign of life with what the call has', async () => {
    for (const input of [{ city: 'Oslo' }, '{"city":"Oslo"}'])
      expect((await partsOf(calling(input)))[0]).toEqual({ type: 'alive', text: '{"city":"Oslo"}' });
  });
});

describe('the count of a host', () => {
  it('has what it charges extra for, where it keeps some of the prompt', async () => {
    const usage = { input_tokens: 12, cache_creation_input_tokens: 30, output_tokens: 7 };
    const counted = { promptTokens: 42, cacheWriteTokens: 30, completionTokens: 7 };
    const ended = { type: 'message_delta', delta: {}, usage } as Event;
    expect((await partsOf(ended)).at(-1)).toMatchObject({ usage: counted });
    const began = { type: 'message_start', message: { usage } } as Event;
    const last = { type: 'message_delta', delta: {}, usage: { output_tokens: 7 } } as Event;
    expect((await partsOf(began, last)).at(-1)).toMatchObject({ usage: counted });
  });

  it.each([
    ['at the beginning', { input_tokens: 12, cache_read_input_tokens: 30 }, {}, 42],
    ['at both ends', { input_tokens: 12, cache_read_input_tokens: 30 }, { input_tokens: 12 }, 42],
    ['at the end, 0 before', { input_tokens: 0 }, { input_tokens: 12, cache_creation_input_tokens: 30 }, 42],
    ['at the end, nothing before', {}, { input_tokens: 12, cache_read_input_tokens: 30 }, 42],
    ['nowhere', {}, {}, NaN],
  ])('has the prompt that it tells %s', async (_, first, last, promptTokens) => {
    const parts = await partsOf(
      { type: 'message_start', message: { usage: { ...first, output_tokens: 1 } } } as Event,
      { type: 'message_delta', delta: {}, usage: { ...last, output_tokens: 7 } } as Event,
    );
    expect(parts.at(-1)).toMatchObject({ type: 'end', usage: { promptTokens, completionTokens: 7 } });
  });
});
