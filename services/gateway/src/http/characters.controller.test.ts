import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { AppError, loreContract, MAX_LORE } from '@kith/contracts';
import { CharactersController } from './characters.controller.js';

const entry = (name: string) => ({ name, keys: [name], content: 'It is so.', enabled: true });
const cardOf = (lore: readonly string[]) => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    ...{ name: 'Orla', description: 'Orla keeps a lighthouse.', first_mes: 'Hello.' },
    character_book: { entries: lore.map(entry) },
  },
});
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`);

/** A request with this body, as Express hands it over. */
function requestOf(body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const caller = { personId: 'ann' };
  return Object.assign(Readable.from([bytes]), {
    ...{ headers, caller, params: {}, query: {}, socket: { bytesRead: 0 } },
  });
}

/**
 * Imports a file with this lore over a companion that has that lore; null while memory is away. Returns what was asked of
 * the services.
 */
async function importOver(
  held: readonly string[] | null,
  brought: readonly string[],
  options: { dryRun: boolean; replace?: boolean },
) {
  const asked: unknown[] = [];
  const ask = async (contract: unknown) => {
    if (contract === loreContract.list) {
      if (!held) throw new AppError('unavailable', 'memory does not answer');
      return { entries: held.map((name) => ({ name })) };
    }
    asked.push(contract);
    return {};
  };
  const directory = { forget: () => undefined, list: async () => [{ id: 'orla' }] };
  const controller = new CharactersController({ ask } as never, directory as never);
  const serve = Reflect.get(controller, 'onImport') as (...args: unknown[]) => Promise<unknown>;
  const content = Buffer.from(JSON.stringify(cardOf(brought))).toString('base64');
  const failure = await serve
    .call(controller, requestOf({ content, replace: true, ...options }), { setHeader: () => undefined })
    .then(() => null)
    .catch((error: unknown) => error);
  return { asked, failure };
}

it.each([true, false])(
  'refuses lore that does not fit before it changes the companion, and names the file; dry run: %s',
  async (dryRun) => {
    const { asked, failure } = await importOver(names('old', MAX_LORE - 2), names('new', 3), { dryRun });
    expect(failure).toMatchObject({ code: 'invalid_request', details: { field: 'content' } });
    expect(asked).toEqual([]);
  },
);

it('counts lore once that takes the place of its namesakes', async () => {
  const held = names('old', MAX_LORE);
  expect((await importOver(held, held.slice(0, 3), { dryRun: true })).failure).toBeNull();
});

it('tells first that there is such a companion, whatever lore it has', async () => {
  const full = names('old', MAX_LORE);
  for (const held of [full, null]) {
    const { asked, failure } = await importOver(held, names('new', 3), { dryRun: false, replace: false });
    expect(failure).toMatchObject({ code: 'conflict', details: { field: 'id' } });
    expect(asked).toEqual([]);
  }
});

it('shows what is in a file while memory is away, and imports nothing then', async () => {
  expect((await importOver(null, names('new', 3), { dryRun: true })).failure).toBeNull();
  const { asked, failure } = await importOver(null, names('new', 3), { dryRun: false });
  expect(failure).toMatchObject({ code: 'unavailable' });
  expect(asked).toEqual([]);
});
