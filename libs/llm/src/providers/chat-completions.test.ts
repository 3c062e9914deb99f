import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../messages.js';
import type { StreamPart } from '../provider.js';
import { readChunks, renderMessages } from './chat-completions.js';

type Chunk = Parameters<typeof readChunks>[1] extends AsyncIterable<infer One> ? One : never;
type CallFragment = NonNullable<NonNullable<NonNullable<Chunk['choices']>[0]['delta']>['tool_calls']>[0];

async function readAll(...chunks: Chunk[]): Promise<StreamPart[]> {
  const source = async function* () {
    yield* chunks;
  };
  const parts: StreamPart[] = [];
  for await (const part of readChunks('host', source())) parts.push(part);
  return parts;
}

async function read(...chunks: Chunk[]): Promise<StreamPart[]> {
  return (await readAll(...chunks)).filter(({ type }) => type !== 'alive' && type !== 'counted');
}

const finished = (finish_reason: string): Chunk => ({ choices: [{ finish_reason }] });
const calling = (...tool_calls: CallFragment[]): Chunk => ({ choices: [{ delta: { tool_calls } }] });

describe('renderMessages', () => {
  it('keeps of a name what hosts take', () => {
    const nameOf = (name: string) => renderMessages([{ role: 'user', content: 'Hi', name }], 'host:model');
    expect(nameOf('Zoë K.')).toEqual([{ role: 'user', content: 'Hi', name: 'Zoe_K' }]);
    expect(nameOf('🦊')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(nameOf('x'.repeat(99))).toEqual([{ role: 'user', content: 'Hi', name: 'x'.repeat(64) }]);
  });

  it('sends null where an assistant only called a tool, and text where it called none', () => {
    const toolCalls = [{ id: 'c', name: 'look_up', arguments: {} }];
    const result = { role: 'tool' as const, content: 'sunny', toolCallId: 'c', name: 'look_up' };
    expect(
      renderMessages([{ role: 'assistant', content: '', toolCalls }, result], 'host:model'),
    ).toMatchObject([{ content: null, tool_calls: [{ function: { arguments: '{}' } }] }, { role: 'tool' }]);
    expect(renderMessages([{ role: 'assistant', content: '', toolCalls: [] }], 'host:model')).toEqual([
      { role: 'assistant', content: '' },
    ]);
  });
});

describe('readChunks', () => {
  it('puts calls together from fragments that come in turns', async () => {
    const parts = await read(
      calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }),
      calling({ index: 1, id: 'b', function: { name: 'two' } }),
      calling({ index: 0, function: { arguments: ':1}' } }),
      finished('tool_calls'),
    );
    expect(parts).toEqual([
      { type: 'tool-call', call: { id: 'a', name: 'one', arguments: { x: 1 } } },
      { type: 'tool-call', call: { id: 'b', name: 'two', arguments: {} } },
      { type: 'end', finishReason: 'tool-calls', usage: null },
    ]);
  });

  it('reads a thousand calls, and gives up on calls without end', async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, n) => calling({ index: n, id: `c${n}`, function: { name: 'one' } }));
    expect(await read(...calls(1_000), finished('tool_calls'))).toHaveLength(1_001);
    await expect(read(...calls(1_001), finished('tool_calls'))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('reads what comes in parts, the thoughts apart, and refuses what is no text', async () => {
    const thinking = [{ type: 'thinking' as const, thinking: [{ type: 'text' as const, text: 'Hm.' }] }];
    const parts = await readAll(
      { choices: [{ delta: { content: thinking } }] },
      { choices: [{ delta: { content: [{ type: 'text', text: 'Hello' }] } }] },
      { choices: [{ delta: { content: ' you' } }] },
      finished('stop'),
    );
    expect(parts).toMatchObject([
      { type: 'alive', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' you' },
      { type: 'end' },
    ]);
    const odd = { choices: [{ delta: { content: { text: 'Hi' } as never } }] };
    await expect(readAll(odd)).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('reads a part without text, or with null, as one that says nothing', async () => {
    const parts = [{ type: 'text' as const }, { type: 'text' as const, text: null }];
    const said = await read({ choices: [{ delta: { content: parts } }] }, finished('stop'));
    expect(said).toMatchObject([{ type: 'text', text: '' }, { type: 'text', text: '' }, { type: 'end' }]);
  });

  it('reads arguments that come as they are', async () => {
    const [call] = await read(
      calling({ index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } }),
      finished('tool_calls'),
    );
    expect(call).toMatchObject({ call: { arguments: { x: 1 } } });
  });

  it('reads null in the place of arguments as none yet, or none at all', async () => {
    const named = calling({ index: 0, id: 'a', function: { name: 'one', arguments: null } });
    const rest = calling({ index: 0, function: { arguments: '{"x":1}' } });
    expect((await read(named, rest, finished('tool_calls')))[0]).toMatchObject({
      call: { arguments: { x: 1 } },
    });
    expect((await read(named, finished('tool_calls')))[0]).toMatchObject({ call: { arguments: {} } });
  });

  it('reads null in the place of a name as no more of it', async () => {
    const parts = await read(
      calling({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
      calling({ index: 0, function: { name: null, arguments: '{"x"' } }),
      calling({ index: 0, function: { name: null, arguments: ':1}' } }),
      finished('tool_calls'),
    );
    expect(parts[0]).toEqual({ type: 'tool-call', call: { id: 'a', name: 'one', arguments: { x: 1 } } });
  });

  it('tells calls apart by their ids at hosts that do not number them', async () => {
    const parts = await read(
      calling({ id: 'a', function: { name: 'one', arguments: '{"x"' } }, { function: { arguments: ':1}' } }),
      calling({ id: 'b', function: { name: 'two', arguments: '{}' } }),
      finished('tool_calls'),
    );
    expect(parts.slice(0, 2)).toEqual([
      { type: 'tool-call', call: { id: 'a', name: 'one', arguments: { x: 1 } } },
      { type: 'tool-call', call: { id: 'b', name: 'two', arguments: {} } },
    ]);
  });

  it.each<[string, CallFragment[]]>([
    [
      'one index for all of them',
      [
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 0, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 0, id: 'b', function: { arguments: ':2}' } },
      ],
    ],
    [
      'id and name in each fragment',
      [
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: ':2}' } },
      ],
    ],
    [
      'ids alone, in each fragment',
      [
        { id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { id: 'a', function: { arguments: ':1}' } },
        { id: 'b', function: { arguments: ':2}' } },
      ],
    ],
    [
      'another id in each fragment',
      [
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
        { index: 0, id: 'a2', function: { arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } },
        { index: 1, id: 'b2', function: { arguments: ':2}' } },
      ],
    ],
  ])('tells calls apart by %s', async (_, fragments) => {
    const parts = await read(...fragments.map((fragment) => calling(fragment)), finished('tool_calls'));
    expect(parts.slice(0, -1)).toEqual([
      { type: 'tool-call', call: { id: 'a', name: 'one', arguments: { x: 1 } } },
      { type: 'tool-call', call: { id: 'b', name: 'two', arguments: { y: 2 } } },
    ]);
  });

  it('takes arguments for a sign of life, and not a call that was merely opened', async () => {
    const opened = calling({ index: 0, id: 'a', function: { name: 'one', arguments: '' } });
    const written = calling({ index: 0, function: { arguments: '{}' } });
    const typesOf = async (...chunks: Chunk[]) => (await readAll(...chunks)).map(({ type }) => type);
    expect(await typesOf(opened, finished('tool_calls'))).toEqual(['tool-call', 'end']);
    expect(await typesOf(opened, written, finished('tool_calls'))).toEqual(['alive', 'tool-call', 'end']);
  });

  it('keeps reasoning for the model it came from, in the field it came in', async () => {
    const [reasoning] = await read(
      { choices: [{ delta: { reasoning_content: 'First ' } }] },
      { choices: [{ delta: { reasoning_content: 'this.' } }] },
      finished('stop'),
    );
    const block = { reasoning_content: 'First this.' };
    const kept = { origin: 'host', text: 'First this.', block };
    expect(reasoning).toEqual({ type: 'reasoning', reasoning: kept });
    const toolCalls = [{ id: 'c', name: 'look_up', arguments: {} }];
    const history = [
      { role: 'assistant' as const, content: '', toolCalls, reasoning: [kept] },
      { role: 'tool' as const, content: 'sunny', toolCallId: 'c', name: 'look_up' },
    ];
    expect(renderMessages(history, 'host')[0]).toMatchObject(block);
    expect(renderMessages(history, 'other')[0]).not.toHaveProperty('reasoning_content');
  });

  it.each([{ text: '' }, {}])(
    'gives sealed reasoning back whole, beside the call it names: %j',
    async (last) => {
      const id = `tool_search_conversation_${'x'.repeat(20)}`;
      const text = { type: 'reasoning.text', format: 'google-gemini-v1', index: 0 };
      const sealed = {
        type: 'reasoning.encrypted',
        data: 'c2VhbA==',
        id,
        format: 'google-gemini-v1',
        index: 0,
      };
      const telling = (...reasoning_details: Record<string, unknown>[]): Chunk => ({
        choices: [{ delta: { reasoning_details } }],
      });
      const parts = await readAll(
        telling({ ...text, text: 'First ' }),
        telling({ ...text, text: 'this.', signature: null }, { ...text, ...last, signature: 's' }),
        calling({ index: 0, id, function: { name: 'look_up', arguments: '{}' } }),
        telling(sealed),
        finished('tool_calls'),
      );
      const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.reasoning] : []));
      const toolCalls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
      const history: ChatMessage[] = [
        { role: 'assistant', content: '', toolCalls, reasoning },
        { role: 'tool', content: 'sunny', toolCallId: id, name: 'look_up' },
      ];
      const reasoning_details = [{ ...text, text: 'First this.', signature: 's' }, sealed];
      expect(renderMessages(history, 'host')).toMatchObject([
        { reasoning_details, tool_calls: [{ id }] },
        { tool_call_id: id },
      ]);
      expect(renderMessages(history, 'other')[0]).toMatchObject({ tool_calls: [{ id: 'call-0' }] });
      expect(renderMessages(history, 'other')[0]).not.toHaveProperty('reasoning_details');
      expect(parts.map(({ type }) => type)).toEqual([
        ...Array<string>(5).fill('alive'),
        'reasoning',
        'tool-call',
        'end',
      ]);
      const endless = telling({ ...text, text: 'x'.repeat(300_000) });
      await expect(readAll(endless, endless)).rejects.toMatchObject({ kind: 'garbled' });
    },
  );

  it('tells a thought once that comes in both fields', async () => {
    const both: Chunk = { choices: [{ delta: { reasoning_content: 'Hm.', reasoning: 'Hm.' } }] };
    const [first, second] = await readAll(both, finished('stop'));
    expect([first, second]).toEqual([
      { type: 'alive', text: 'Hm.' },
      { type: 'alive', text: '' },
    ]);
  });

  it('takes a count that lacks a figure for none', async () => {
    const counting = (usage: Chunk['usage']): Chunk => ({ ...finished('stop'), usage: usage ?? null });
    const end = { type: 'end', finishReason: 'stop' };
    expect(await read(counting({ prompt_tokens: 7 }))).toEqual([{ ...end, usage: null }]);
    expect(await read(counting({ prompt_tokens: 7, completion_tokens: 2 }))).toEqual([
      { ...end, usage: { promptTokens: 7, completionTokens: 2 } },
    ]);
  });

  it.each([
    [399, 387],
    [13, 1],
    [0, 1],
  ])(
    'takes reasoning that only a total of %i has for part of the answer',
    async (total, completionTokens) => {
      const usage = { prompt_tokens: 12, completion_tokens: 1, total_tokens: total };
      expect(await read({ ...finished('stop'), usage })).toEqual([
        { type: 'end', finishReason: 'stop', usage: { promptTokens: 12, completionTokens } },
      ]);
    },
  );

  it('takes a refusal for one', async () => {
    const refusing: Chunk = { choices: [{ delta: { refusal: 'I can’t help with that.' } }] };
    await expect(read(refusing, finished('stop'))).rejects.toMatchObject({ kind: 'refused' });
  });

  it.each(['{"x":', '[1]', '"x"'])('can not read %s as arguments', async (text) => {
    const call = calling({ index: 0, id: 'a', function: { name: 'one', arguments: text } });
    await expect(read(call, finished('tool_calls'))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('keeps calls that were whole when the limit cut the next one, also before its arguments', async () => {
    const parts = await read(
      calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
      calling({ index: 1, id: 'b', function: { name: 'two', arguments: '' } }),
      finished('length'),
    );
    expect(parts).toEqual([
      { type: 'tool-call', call: { id: 'a', name: 'one', arguments: {} } },
      { type: 'end', finishReason: 'length', usage: null },
    ]);
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['eos', 'stop'],
  ])('takes the finish reason %s for %s', async (wire, finishReason) => {
    expect(await read(finished(wire))).toEqual([{ type: 'end', finishReason, usage: null }]);
  });

  it('gives no calls of what was cut', async () => {
    const call = calling({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } });
    await expect(read(call)).rejects.toMatchObject({ kind: 'cut-stream' });
    expect(await read()).toEqual([]);
  });

  it.each(['abort', 'error', ''])(
    'takes an answer that ends with the reason "%s" for cut',
    async (reason) => {
      const said: Chunk = { choices: [{ delta: { content: 'Half a' }, finish_reason: '' }] };
      await expect(read(said, finished(reason))).rejects.toMatchObject({ kind: 'cut-stream' });
      expect(await read(said, finished('stop'), finished(''))).toMatchObject([
        { type: 'text' },
        { type: 'end' },
      ]);
    },
  );
});
