import { describe, expect, it } from '@jest/globals';
import { CharacterFormat, LoreInput } from '@kith/contracts';
import fc from 'fast-check';
import { emptyReport, type Character } from './character.js';
import type { Json } from './json-values.js';
import { persona as nell } from './e2e/character-zoo.js';
import { leaveOutSecrets } from './leave-out-secrets.js';
import { MAX_EXTENSIONS, Persona } from './persona.js';
import { readCharacter } from './read-character.js';
import { valid, fileOf, written, characterOf, inOrder, stored } from './e2e/characters.js';

describe('any character', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => `a${text}z`);
  const share = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
  const personas = fc.record({
    name: line,
    tagline: line,
    description: line,
    greeting: line,
    timeZone: fc.constantFrom('Europe/Berlin', 'Asia/Tokyo'),
    openness: share,
    tone: line,
    said: line,
  });
  const entries = fc.array(
    fc.record({
      name: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => `n${text}`),
      keys: fc.array(line, { minLength: 1, maxLength: 3 }),
      content: line,
      constant: fc.boolean(),
      recursive: fc.boolean(),
      priority: fc.integer({ min: -5, max: 500 }),
      enabled: fc.boolean(),
    }),
    { maxLength: 5 },
  );

  it('is the same through every format, by way of every other', () => {
    fc.assert(
      fc.property(
        personas,
        entries,
        fc.shuffledSubarray([...CharacterFormat.options]),
        (some, lore, formats) => {
          const { openness, tone, said, ...fields } = some;
          const character = {
            persona: Persona.parse({
              ...nell,
              ...fields,
              traits: { ...nell.traits, openness },
              style: { ...nell.style, tone },
              exampleDialogue: [
                [
                  { who: 'person', text: said },
                  { who: 'companion', text: tone },
                ],
              ],
            }),
            lore: [...new Map(lore.map((entry) => [entry.name.trim(), LoreInput.parse(entry)])).values()],
          };
          let now: Character = character;
          for (const format of formats) now = stored(characterOf(readCharacter(fileOf(now, format))));
          const { extensions: _, ...persona } = now.persona;
          expect({ persona, lore: inOrder(now.lore) }).toEqual({
            ...character,
            lore: inOrder(character.lore),
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of any JSON in a card’s fields is read, and comes out as it came in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 4 })), (data) => {
        const card = {
          spec: 'chara_card_v2',
          spec_version: '2.0',
          data: JSON.parse(JSON.stringify(data)) as Json,
        };
        const character = stored(readCharacter(Buffer.from(JSON.stringify(card))));
        if (/[\ud800-\udfff]|\\u0000/u.test(JSON.stringify(card))) return;
        // A name that is a secret's, such as ENV, comes neither in nor out.
        expect(written(character, 'tavern-v2')).toEqual(leaveOutSecrets(card, emptyReport('tavern-v2')));
      }),
      { numRuns: 300 },
    );
  });

  it('whose file lost or changed some bytes is read or refused, and nothing else', () => {
    const files = valid.filter(({ bytes }) => bytes.length < 20_000);
    const bites = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...files), bites, fc.nat({ max: 40 }), ({ bytes }, changes, cut) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changes) copy[at % copy.length] = byte;
        try {
          const { persona } = readCharacter(copy.subarray(0, copy.length - cut));
          expect(JSON.stringify(persona.extensions ?? {}).length).toBeLessThanOrEqual(MAX_EXTENSIONS);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

const FIELDS = [
  'name',
  'description',
  'personality',
  'scenario',
  'first_mes',
  'mes_example',
  'creator_notes',
  'character_book',
  'extensions',
  'tags',
  'alternate_greetings',
  'system_prompt',
  'other',
];
