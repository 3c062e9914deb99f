import { describe, expect, it } from '@jest/globals';
import { readResponse } from './read-response.js';

type Event = Parameters<typeof readResponse>[1] extends AsyncIterable<infer One> ? One : never;

const added = (item: object) => ({ type: 'response.output_item.added', output_index: 0, item }) as Event;
const written = (delta: string) => ({ type: 'response.function_call_arguments.delta', delta }) as Event;

/** Types of the parts that these events give. */
async function typesOf(...events: Event[]): Promise<string[]> {
  const source = async function* () {
    yield* events;
    yield { type: 'response.completed', response: {} } as Event;
  };
  const types: string[] = [];
  for await (const { type } of readResponse('host:model', source())) types.push(type);
  return types.slice(0, -1);
}

describe('a sign of life over the Responses API', () => {
  it('is a thought that begins, since its words are not sent', async () => {
    expect(await typesOf(added({ type: 'reasoning', id: 'r', summary: [] }))).toEqual(['alive']);
  });

  it('is what is written of a call, and not that one is opened', async () => {
    const call = added({ type: 'function_call', call_id: 'a', name: 'look_up', arguments: '' });
    expect(await typesOf(call, written(''))).toEqual([]);
    expect(await typesOf(call, written('{}'))).toEqual(['alive']);
  });
});
