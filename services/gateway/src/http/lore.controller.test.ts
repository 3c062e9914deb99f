import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { recallBoundsOf } from '../answer/recall-bounds.js';
import { LoreController } from './lore.controller.js';

it('tests a text with the room for lore that a turn has', async () => {
  const asked: unknown[] = [];
  const required: unknown[] = [];
  const ask = async (_: unknown, question: unknown) => {
    asked.push(question);
    return { hits: [] };
  };
  const room = recallBoundsOf(2_000);
  const controller = new LoreController({
    messenger: { ask },
    companions: {
      require: async (...named: unknown[]) => {
        required.push(named);
        return 'mira';
      },
    },
    recallRoom: () => room,
  });
  const serve = Reflect.get(controller, 'match') as (...args: unknown[]) => Promise<unknown>;
  const bytes = Buffer.from(JSON.stringify({ text: 'the harbour' }));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), {
    headers,
    caller: { personId: 'ann' },
    params: { id: 'mira' },
    query: {},
    socket: { bytesRead: 0 },
  });
  await serve.call(controller, request, { setHeader: () => undefined });
  // A refusal names the part of the address.
  expect(required).toEqual([['mira', 'id']]);
  expect(asked).toEqual([{ companionId: 'mira', texts: ['the harbour'], maxTokens: room.loreTokens }]);
});
