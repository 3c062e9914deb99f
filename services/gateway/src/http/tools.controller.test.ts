import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { ToolsController } from './tools.controller.js';

/** Makes a rule where there is no companion but Mira. Returns the places of the rules that were made. */
async function rule(body: object): Promise<unknown[]> {
  const made: unknown[] = [];
  const rules = { set: async (place: unknown) => void made.push(place) };
  const companions = {
    require: async (id: string) => {
      if (id !== 'mira') throw new AppError('not_found', `there is no companion "${id}"`);
      return id;
    },
  };
  const controller = new ToolsController({ rules, companions });
  const serve = Reflect.get(controller, 'setRule') as (...args: unknown[]) => Promise<unknown>;
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), {
    headers,
    caller: { personId: 'ann' },
    params: { name: 'send' },
    query: {},
    socket: { bytesRead: 0 },
  });
  await serve.call(controller, request, { setHeader: () => undefined });
  return made;
}

it('a rule about a companion that is not there is refused: it would deny nothing', async () => {
  await expect(rule({ allow: false, companion: 'mria' })).rejects.toThrow('there is no companion "mria"');
  expect(await rule({ allow: false, companion: 'mira' })).toMatchObject([{ companionId: 'mira' }]);
  expect(await rule({ allow: false })).toMatchObject([{ companionId: null }]);
});

it.each(['server', 'channel', 'role'])(
  'a rule for the name of a %s is refused: it would deny nothing',
  async (at) => {
    await expect(rule({ allow: false, [at]: 'general' })).rejects.toThrow(`${at}: digits such as`);
    expect(await rule({ allow: false, [at]: '123456789012345678' })).toMatchObject([
      { [at]: '123456789012345678' },
    ]);
  },
);
