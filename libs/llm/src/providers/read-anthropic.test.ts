import { describe, expect, it } from '@jest/globals';
import { readAnthropic } from './read-anthropic.js';

type Event = Parameters<typeof readAnthropic>[1] extends AsyncIterable<infer One> ? One : never;

const start = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block }) as Event;
const delta = (partial_json: string): Event => ({
  ...{ type: 'content_block_delta', index: 0 },
  delta: { type: 'input_json_delta', partial_json },
});

/** Types of the parts that these events give. */
async function typesOf(...events: Event[]): Promise<string[]> {
  const source = async function* () {
    yield* events;
    yield { type: 'message_stop' } as Event;
  };
  const types: string[] = [];
  for await (const { type } of readAnthropic('host:model', source())) types.push(type);
  return types.slice(0, -1);
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
