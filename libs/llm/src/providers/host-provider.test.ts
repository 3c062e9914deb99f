import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { StreamPart } from '../provider.js';
import { hostProvider } from './host-provider.js';

/** Reads an answer of a host whose protocol makes this part of it. */
async function read(part: unknown): Promise<StreamPart[]> {
  const answer = async function* () {
    yield part as StreamPart;
  };
  const provider = hostProvider({
    name: 'host',
    opening: Promise.resolve(),
    list: () => Promise.resolve([]),
    send: () => Promise.resolve(answer()),
    read: (_, parts) => parts,
  });
  const parts: StreamPart[] = [];
  for await (const one of provider.stream({
    model: 'model',
    messages: [],
    signal: new AbortController().signal,
  }))
    parts.push(one);
  return parts;
}

it.each([
  { type: 'text', text: undefined },
  { type: 'text', text: null },
  { type: 'alive', text: 7 },
  { type: 'tool-call', call: { id: 'a', name: undefined, arguments: {} } },
])('takes %j for garbled, so that another try or another model answers', async (part) => {
  await expect(read(part)).rejects.toMatchObject({ name: 'ModelError', kind: 'garbled' });
});

it('passes on what can be read', async () => {
  const parts = [
    { type: 'text', text: 'Hi' },
    { type: 'end', finishReason: 'stop', usage: null },
  ];
  for (const part of parts) expect(await read(part)).toEqual([part]);
});

it('tells whoever asks that its SDK can’t be loaded, and ends no process before', async () => {
  const opening = Promise.reject(new Error('no such package'));
  const ask = () => opening;
  const provider = hostProvider({ name: 'host', opening, list: ask, send: ask, read: () => [] as never });
  // A rejection that nobody handles would end the process by now.
  await setImmediate();
  const { signal } = new AbortController();
  await expect(provider.list(signal)).rejects.toMatchObject({ name: 'ModelError', kind: 'unreachable' });
});
