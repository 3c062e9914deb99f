import { describe, expect, it } from '@jest/globals';
import { CharacterFormat, LoreInput, MAX_LORE } from '@kith/contracts';
import { bestMsOf } from '@kith/testing';
import { emptyReport } from './character.js';
import type { Json } from './json-values.js';
import { persona as nell, zoo } from './e2e/character-zoo.js';
import { loreOfPersona, noteLore } from './lore-of-persona.js';
import { MAX_EXTENSIONS, Persona } from './persona.js';
import { readCharacter } from './read-character.js';
import { writeCharacter } from './write-character.js';
import {
  valid,
  broken,
  bytesOf,
  read,
  readOnce,
  storedOnce,
  documentOf,
  fileOf,
  written,
  inOrder,
  stored,
  withoutGeneration,
} from './e2e/characters.js';

describe('a file of a character', () => {
  it('comes from a zoo of at least forty', () => {
    expect(zoo.length).toBeGreaterThanOrEqual(40);
    expect(new Set(zoo.map(({ name }) => name)).size).toBe(zoo.length);
  });

  it.each(valid)('is read: $name', ({ bytes, is }) => {
    const { persona, lore, report } = readOnce(bytes);
    expect(report.format).toBe(is);
    expect(Persona.parse(persona)).toEqual(persona);
    expect(lore.map((entry) => LoreInput.parse(entry))).toEqual(lore);
    expect(new Set(lore.map(({ name }) => name)).size).toBe(lore.length);
  });

  it.each(broken)('is refused with the reason: $name', ({ bytes, is }) => {
    const refusal = expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(is) });
    expect(() => readCharacter(bytes)).toThrow(refusal);
  });

  it.each(zoo)('costs its reader little: $name', ({ bytes }) => {
    const readOrRefuse = () => {
      try {
        readCharacter(bytes);
      } catch {
        // What is refused may take no longer.
      }
    };
    expect(bestMsOf(readOrRefuse, 1_500)).toBeLessThan(1_500);
  });

  it.each(valid.flatMap((one) => CharacterFormat.options.map((format) => ({ ...one, format }))))(
    'is the same character after it was stored, written as $format and read again: $name',
    ({ bytes, format }) => {
      const before = storedOnce(bytes);
      const after = readCharacter(fileOf(before, format));
      const { extensions, ...persona } = before.persona;
      const { extensions: kept, ...rest } = after.persona;
      expect(rest).toEqual(persona);
      expect(inOrder(after.lore)).toEqual(before.lore);
      expect(withoutGeneration(kept)).toMatchObject(withoutGeneration(extensions));
    },
  );

  it.each([
    'v2',
    'v2 with a book',
    'v2 with a book of macros',
    'v2 that repeats V1',
    'v2 with unknown fields',
    'v2 with macros',
    'v2 of wrong types',
    'v2, very long',
  ])('comes out as it came in: %s', (name) =>
    expect(written(stored(read(name)), 'tavern-v2')).toEqual(documentOf(bytesOf(name))),
  );
  it.each(['v3', 'v3 of a later version'])('comes out as it came in: %s', (name) =>
    expect(written(stored(read(name)), 'tavern-v3')).toEqual(documentOf(bytesOf(name))),
  );
  it.each(['eliza 1', 'eliza 1, small', 'eliza 1, least', 'eliza 1 with a style'])(
    'comes out as it came in: %s',
    (name) => expect(written(stored(read(name)), 'eliza')).toEqual(documentOf(bytesOf(name))),
  );
  it('comes out as it came in: an agent, but for its secrets', () => {
    const { agents, mcp_servers: servers, ...rest } = documentOf(bytesOf('letta'));
    const after = written(stored(read('letta')), 'letta');
    const { tool_exec_environment_variables: _, ...agent } = (agents as Json[])[0]!;
    expect(after).toEqual({
      ...rest,
      agents: [agent],
      mcp_servers: (servers as Json[]).map((server) => ({ ...server, stdio_config: { command: 'x' } })),
    });
  });
  it('comes out as it came in: a persona', () => {
    expect(written(stored(read('kith')), 'kith')).toEqual(documentOf(bytesOf('kith')));
  });

  it.each(CharacterFormat.options)('has no lore but memory’s, whatever a persona holds: %s', (format) => {
    const { persona, lore } = read('kith');
    const frozen = { ...persona, extensions: { ...persona.extensions, lore: read('v2 with a book').lore } };
    expect(written({ persona: frozen, lore }, format)).toEqual(written({ persona, lore }, format));
  });

  it('never gives a secret on', () => {
    for (const { bytes } of valid) {
      const character = readOnce(bytes);
      for (const format of CharacterFormat.options)
        expect(JSON.stringify(writeCharacter(character, format))).not.toMatch(/sk-very|hidden-/);
    }
    expect(read('eliza 0').report.dropped).toEqual([
      { field: 'settings.secrets', note: expect.stringContaining('secret') },
    ]);
  });

  it('is told of by field', () => {
    const { report } = read('v2 with a book');
    const fields = (lines: readonly { field: string }[]) => lines.map(({ field }) => field);
    expect(fields(report.understood)).toEqual([
      'name',
      'description',
      'personality',
      'scenario',
      'first_mes',
      'mes_example',
      'creator_notes',
      'character_book',
    ]);
    expect(fields(report.kept)).toEqual([
      'system_prompt',
      'post_history_instructions',
      'alternate_greetings',
      'tags',
      'creator',
      'character_version',
      'extensions.depth_prompt',
      'extensions.fav',
      'extensions.world',
      'character_book.scan_depth',
      'character_book.token_budget',
      'lore: /fl(oo)d/i',
      'lore: entry 4',
    ]);
    expect(fields(report.assumed)).toEqual(['traits', 'moodHalfLifeHours', 'style']);
  });

  it('assumes nothing of what Kith wrote into it for itself', () => {
    const { persona } = read('kith');
    expect(persona.traits).not.toEqual(read('v2 with a book').persona.traits);
    for (const format of ['tavern-v2', 'letta', 'eliza'] as const) {
      const fields = readCharacter(fileOf(stored(read('kith')), format)).report.assumed;
      expect(fields.map(({ field }) => field)).not.toContain('traits');
    }
  });

  it('sets nothing that costs money unseen', () => {
    const costly = Persona.parse({ ...nell, heartbeat: { peoplePerNight: 100 } });
    const own = readCharacter(fileOf({ persona: costly, lore: [] }, 'kith'));
    expect(own.persona).toEqual(costly);
    expect(own.report.understood.at(-1)).toMatchObject({
      note: expect.stringContaining('100 people a night'),
    });
    const exported = readCharacter(fileOf({ persona: costly, lore: [] }, 'tavern-v2'));
    expect(exported.persona.heartbeat).toBeUndefined();
    expect(exported.report.dropped).toMatchObject([{ field: 'heartbeat' }]);
    // The hash of an absent field is the same in every card.
    const heartbeat = { value: costly.heartbeat, instead: 'e3b0c44298fc1c149afbf4c8996fb924' };
    const kith = { fields: { heartbeat, needs: { ...heartbeat, value: nell.needs } } };
    const data = { name: 'Orla', extensions: { kith } };
    const stranger = readCharacter(Buffer.from(JSON.stringify({ spec: 'chara_card_v2', data })));
    expect(stranger.persona).toMatchObject({ needs: nell.needs });
    expect(stranger.persona.heartbeat).toBeUndefined();
    expect(stranger.report.dropped).toMatchObject([{ field: 'heartbeat' }]);
  });

  it.each([0, 1, 3])('brings what costs no more than is usual: %d people a night', (peoplePerNight) => {
    const frugal = Persona.parse({ ...nell, heartbeat: { peoplePerNight } });
    for (const format of ['tavern-v2', 'letta', 'eliza'] as const) {
      const { persona, report } = readCharacter(fileOf({ persona: frugal, lore: [] }, format));
      expect(persona.heartbeat).toEqual({ peoplePerNight });
      expect(report.dropped).toEqual([]);
      expect(report.understood.at(-1)).toMatchObject({ field: 'heartbeat' });
    }
  });

  it('leaves out what is too long to be kept, and names it', () => {
    expect(read('v2, larger than is kept').report.dropped).toEqual([
      { field: 'data.extensions.big', note: 'too long to be kept' },
    ]);
    expect(read('v2, larger than is kept').persona.extensions).toMatchObject({
      tavern: { data: { name: 'Orla', extensions: { small: 1 } } },
    });
    expect(read('v3 with a picture inside').report.dropped).toHaveLength(1);
  });

  it('has its lore noted where its documents do not show it, as far as there is room', () => {
    const { persona, lore } = read('kith');
    const brought = [...Array(MAX_LORE).keys()].map((n) =>
      LoreInput.parse({ name: `Stone ${n}`, keys: ['stone'], content: 'It is grey.' }),
    );
    const noted = noteLore({ persona, lore: brought }, emptyReport('kith'));
    expect(loreOfPersona(brought, noted)).toEqual(brought);
    const changed = brought.map((entry) => ({ ...entry, content: 'It is green.' }));
    expect(loreOfPersona(changed, noted)).toEqual([]);
    expect(noteLore({ persona: noted, lore }, emptyReport('kith'))).toEqual(
      noteLore({ persona, lore }, emptyReport('kith')),
    );
    for (const format of CharacterFormat.options)
      expect(written({ persona: noted, lore }, format)).toEqual(written({ persona, lore }, format));

    const report = emptyReport('kith');
    const extensions = { other: 'x'.repeat(MAX_EXTENSIONS - 1_000) };
    const full = Persona.parse(noteLore({ persona: { ...persona, extensions }, lore: brought }, report));
    const count = loreOfPersona(brought, full).length;
    expect(count).toBeGreaterThan(100);
    expect(report.dropped).toEqual([
      { field: 'lore', note: expect.stringContaining(`${MAX_LORE - count} `) },
    ]);
  });

  it('is read soon also where a thousand parts are too much together', () => {
    const parts = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`p${n}`, 'x'.repeat(2_500)]));
    const file = Buffer.from(JSON.stringify({ name: 'Orla', description: 'd', personality: 'p', ...parts }));
    const before = process.cpuUsage();
    expect(readCharacter(file).report.dropped).toEqual([{ field: 'document', note: 'too long to be kept' }]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});
