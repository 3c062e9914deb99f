import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { readCharacter, takeLore, writeCharacter, type ReadCharacter } from '@kith/characters';
import {
  AppError,
  CharacterFormat,
  loreContract,
  LoreInput,
  MAX_LORE,
  personalityContract,
} from '@kith/contracts';
import { CharactersController } from './characters.controller.js';
import { PersonasController } from './personas.controller.js';

const entry = (name: string) => ({ name, keys: [name], content: 'It is so.', enabled: true });
const cardOf = (lore: readonly string[], description = 'Orla keeps a lighthouse.') => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: { name: 'Orla', description, first_mes: 'Hello.', character_book: { entries: lore.map(entry) } },
});
const bytesOf = (card: object) => Buffer.from(JSON.stringify(card));
/** A card's character without the card. */
const characterOfKith = (card: object) => {
  const {
    persona: { extensions: _, ...fields },
    lore,
  } = readCharacter(bytesOf(card));
  return { persona: fields, lore };
};
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`);

const { persona } = readCharacter(bytesOf(cardOf([])));
const { id, name, tagline, traits } = persona;
/** A companion as personality answers. */
const view = { id, name, tagline, traits, description: '', timeZone: 'UTC', version: 2 };

/** A request with this body, as Express hands it over. */
function requestOf(body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const caller = { personId: 'ann' };
  return Object.assign(Readable.from([bytes]), {
    headers,
    caller,
    params: {},
    query: {},
    socket: { bytesRead: 0 },
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
    if (contract === personalityContract.persona) return { persona: {} };
    if (contract === loreContract.lore) {
      if (!held) throw new AppError('unavailable', 'memory does not answer');
      return { entries: held.map((name) => ({ name })) };
    }
    asked.push(contract);
    return {};
  };
  const failure = await importWith(ask, cardOf(brought), options)
    .then(() => null)
    .catch((error: unknown) => error);
  return { asked, failure };
}

/** Imports a card over the companion that these services tell of. */
function importWith(ask: unknown, card: object, options: object, there = ['orla']): Promise<unknown> {
  const content = bytesOf(card).toString('base64');
  return serve('import', ask, requestOf({ content, replace: true, ...options }), there);
}

/** Has a handler serve a request, over these services. */
function serve(handler: 'import' | 'rollBack' | 'edit', ask: unknown, request: object, there = ['orla']) {
  const directory = { forget: () => undefined, list: async () => there.map((id) => ({ id })) };
  const Controller = handler === 'edit' ? PersonasController : CharactersController;
  const controller = new Controller({ messenger: { ask }, companions: directory });
  const handle = Reflect.get(controller, handler) as (...args: unknown[]) => Promise<unknown>;
  return handle.call(controller, request, { setHeader: () => undefined });
}

it.each<[string, string[], string[]]>([
  ['of a companion that is there', ['orla'], ['About Orla, 2', 'About Orla, 3', 'mill']],
  ['of one that is out of service', [], ['About Orla, 2', 'About Orla, 3']],
])('takes away the lore that came with the persona so far: %s', async (_, there, gone) => {
  const before = readCharacter(bytesOf(cardOf(['mill', 'weir', 'kept'], 'Orla counts. '.repeat(390))));
  const held = [
    ...before.lore.map((one) => (one.name === 'weir' ? { ...one, content: 'It leaks.' } : one)),
    { ...before.lore.at(-1)!, name: 'operator' },
    { ...before.lore[0]!, name: 'About the flood, 1953' },
  ].map((one) => ({ ...one, id: `id of ${one.name}`, updatedAt: '2026-01-01T00:00:00.000Z' }));
  const imports: { book: { name: string }[]; instead: string[] }[] = [];
  const ask = async (contract: unknown, request: (typeof imports)[number]) => {
    if (contract === personalityContract.persona) return { persona: before.persona };
    if (contract === loreContract.lore) return { entries: held };
    if (contract === loreContract.importLore) imports.push(request);
    return view;
  };
  await importWith(ask, cardOf(['kept']), {}, there);
  expect(imports).toMatchObject([{ book: [{ name: 'kept' }], instead: gone.map((name) => `id of ${name}`) }]);
  imports.length = 0;
  await importWith(ask, cardOf([]), {}, there);
  expect(imports).toMatchObject([{ book: [] }]);
});

it('names lore of the companion’s own that gives way to a namesake of the file', async () => {
  const before = readCharacter(bytesOf(cardOf(['mill', 'weir', 'same'])));
  const own = names('own', 11).map((name) => ({ ...before.lore[0]!, name }));
  const held = [
    ...before.lore.map((one) => (one.name === 'weir' ? { ...one, content: 'It leaks.' } : one)),
    ...own.map((one) => ({ ...one, content: 'Mine.' })),
  ].map((one) => ({ ...one, id: one.name, updatedAt: '2026-01-01T00:00:00.000Z' }));
  const ask = async (contract: unknown) => {
    if (contract === personalityContract.persona) return { persona: before.persona };
    return contract === loreContract.lore ? { entries: held } : view;
  };
  const notesOf = async (brought: string[]) => {
    const { report } = (await importWith(ask, cardOf(brought), { dryRun: true })) as ReadCharacter;
    return report.dropped.map(({ note }) => note);
  };
  const toldOf = (words: string) =>
    `entries of its own, or that you changed, give way to the file’s: ${words}`;
  expect(await notesOf(['mill', 'same', 'new'])).toEqual([]);
  expect(await notesOf(['mill', 'weir'])).toEqual([toldOf('“weir”')]);
  const all = names('own', 10).map((name) => `“${name}”`);
  expect(await notesOf(names('own', 11))).toEqual([toldOf(`${all.join(', ')} and 1 more`)]);
});

it.each<[string, (card: object) => object]>([
  [
    'a card that is too long to be kept whole',
    ({ data, ...card }: { data?: object }) => ({
      ...card,
      data: { ...data, creator_notes: 'n'.repeat(239_000) },
    }),
  ],
  ['a persona of Kith', (card) => writeCharacter(characterOfKith(card), 'kith')],
  ['a character of ElizaOS', (card) => writeCharacter(characterOfKith(card), 'eliza')],
  ['an agent of Letta', (card) => writeCharacter(characterOfKith(card), 'letta')],
])('takes away the lore that came with %s', async (_, fileOf) => {
  let inForce = persona as object;
  let held: { id: string; name: string }[] = [];
  const ask = async (
    contract: unknown,
    request: { persona: object; book: LoreInput[]; instead: string[] },
  ) => {
    if (contract === personalityContract.persona) return { persona: inForce };
    if (contract === loreContract.lore) return { entries: held };
    if (contract === personalityContract.editPersona) inForce = request.persona;
    if (contract === loreContract.importLore)
      held = [
        ...held.filter(({ id }) => !request.instead.includes(id)),
        ...request.book.map((one) => ({ ...one, id: one.name, updatedAt: '2026-01-01T00:00:00.000Z' })),
      ];
    return view;
  };
  await importWith(ask, fileOf(cardOf(names('mill', 30))), { id: 'orla' });
  expect(held.map((one) => one.name)).toEqual(names('mill', 30));
  held = held.map((one) => (one.name === 'mill 7' ? { ...one, content: 'It burnt.' } : one));
  await importWith(ask, cardOf(['flood']), {});
  expect(held.map((one) => one.name)).toEqual(['mill 7', 'flood']);
});

/** A companion without lore, as personality and memory keep one. */
function keptCompanion() {
  const versions = [{ ...persona, id: 'orla' }];
  const lore = new Map<string, LoreInput>();
  const ask = async (
    contract: unknown,
    request: { persona: typeof persona; version?: number; book: LoreInput[]; instead: string[] },
  ) => {
    if (contract === personalityContract.persona)
      return { persona: versions.at(request.version === undefined ? -1 : request.version - 1) };
    if (contract === loreContract.lore)
      return {
        entries: [...lore].map(([id, one]) => ({ ...one, id, updatedAt: '2026-01-01T00:00:00.000Z' })),
      };
    if (contract === personalityContract.editPersona) versions.push(request.persona);
    if (contract === personalityContract.rollBackPersona) versions.push(versions[request.version! - 1]!);
    if (contract === loreContract.importLore) {
      for (const id of request.instead) lore.delete(id);
      for (const one of request.book) lore.set(one.name, one);
    }
    return view;
  };
  const forOrla = (body: object) => Object.assign(requestOf(body), { params: { id: 'orla' } });
  const rollBack = (version: number) => serve('rollBack', ask, forOrla({ version }));
  const edit = (body: object) => serve('edit', ask, forOrla(body));
  const fileAs = (format: CharacterFormat) =>
    writeCharacter({ persona: versions.at(-1)!, lore: [...lore.values()] }, format);
  return { ask, lore, forOrla, rollBack, edit, fileAs };
}

it('a rollback leaves lore as it is, and says so where a version came with some', async () => {
  const { ask, lore, rollBack, fileAs } = keptCompanion();
  lore.set('mine', LoreInput.parse(entry('mine')));
  expect(await rollBack(1)).toMatchObject({ leavesLore: false });
  await importWith(ask, cardOf(['mill']), {});
  await importWith(ask, fileAs('kith'), {});
  for (const version of [1, 4, 3]) expect(await rollBack(version)).toMatchObject({ leavesLore: true });
  expect([...lore.keys()]).toEqual(['mine', 'mill']);
});

it('a rollback gets a companion out of a version that can’t be read any more', async () => {
  const { ask, forOrla } = keptCompanion();
  const unreadable = async (...[contract, request]: Parameters<typeof ask>) => {
    if (contract === personalityContract.persona && request.version === undefined)
      throw new AppError('not_found', 'there is no version 2');
    return ask(contract, request);
  };
  expect(await serve('rollBack', unreadable, forOrla({ version: 1 }))).toMatchObject({ id: 'orla' });
});

it.each(CharacterFormat.options)(
  'an import of the companion itself, and an edit by its file, leave its own lore its own: %s',
  async (format) => {
    const { ask, lore, edit, fileAs } = keptCompanion();
    await importWith(ask, cardOf(['mill']), {});
    lore.set('mine', LoreInput.parse({ ...entry('mine'), priority: 7, insertionOrder: 3 }));
    await importWith(ask, fileAs(format), { id: 'orla' });
    await edit({ ...takeLore(fileAs('kith') as object).persona, greeting: 'Again?' });
    await importWith(ask, fileAs(format), { id: 'orla' });
    await importWith(ask, cardOf(['flood']), {});
    expect([...lore.keys()].toSorted()).toEqual(['flood', 'mine']);
  },
);

it('takes away the former lore also where memory was away at first', async () => {
  const before = readCharacter(bytesOf(cardOf(['mill'])));
  const held = before.lore.map((one) => ({ ...one, id: one.name, updatedAt: '2026-01-01T00:00:00.000Z' }));
  let inForce: object = before.persona;
  let isAway = true;
  const gone: string[] = [];
  const ask = async (contract: unknown, request: { persona: object; instead: string[] }) => {
    if (contract === personalityContract.persona) return { persona: inForce };
    if (contract === loreContract.lore) return { entries: held };
    if (contract === personalityContract.editPersona) inForce = request.persona;
    if (contract === loreContract.importLore) {
      if (isAway) throw new AppError('unavailable', 'memory does not answer');
      gone.push(...request.instead);
    }
    return view;
  };
  await expect(importWith(ask, cardOf([]), {})).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  await importWith(ask, cardOf([]), {});
  expect(gone).toEqual(['mill']);
  expect(inForce).not.toEqual(before.persona);
});

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

it.each<[string, object, object | undefined]>([
  ['stays as it was where another program’s file takes its place', cardOf([]), { peoplePerNight: 0 }],
  ['is what a persona says', { ...persona, id: 'orla' }, undefined],
])('what a companion costs at night %s', async (_, file, heartbeat) => {
  const edited: { persona: { heartbeat?: object } }[] = [];
  const ask = async (contract: unknown, request: (typeof edited)[number]) => {
    if (contract === personalityContract.persona)
      return { persona: { ...persona, id: 'orla', heartbeat: { peoplePerNight: 0 } } };
    if (contract === loreContract.lore) return { entries: [] };
    if (contract === personalityContract.editPersona) edited.push(request);
    return view;
  };
  const answer = await importWith(ask, file, {});
  expect(edited.map((one) => one.persona.heartbeat)).toEqual([heartbeat]);
  if (heartbeat) expect(JSON.stringify(answer)).toContain('it goes on thinking of 0 people a night');
});
