import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { HEARTBEATS_PER_NIGHT, LoreInput } from '@kith/contracts';
import { z } from 'zod';
import type { Character } from './character.js';
import { Persona } from './persona.js';

/** A value that the document's own fields can't express, and a hash of what they say instead. */
const OwnField = z.object({ value: z.unknown(), instead: z.string().max(64) });

/**
 * Fields that Kith writes into another program's document for itself. A value counts only while the document's own
 * fields are as they were: an edit made elsewhere takes precedence.
 */
const Own = z.object({
  fields: z.record(z.string().max(40), OwnField).default({}),
  extensions: z.record(z.string().max(60), z.unknown()).default({}),
});

/** Field that spends its operator's money: only a persona file, where it is seen, sets more of it than is usual. */
export const COSTLY = 'heartbeat';
const Usual = z.object({ peoplePerNight: z.number().max(HEARTBEATS_PER_NIGHT) });
const APART = new Set<string>(['$schema', 'extensions']);
/** Fields of a persona that are compared; the documents it came from travel apart. */
export const FIELDS = Object.keys(Persona.shape).filter((name) => !APART.has(name)) as (keyof Persona)[];

/** Names of what differs between two characters. Lore has no order but that of its entries' own numbers. */
export function differences(one: Character, other: Character): string[] {
  const fields: string[] = FIELDS.filter(
    (name) => !isDeepStrictEqual(one.persona[name], other.persona[name]),
  );
  return isDeepStrictEqual(byName(one.lore), byName(other.lore)) ? fields : [...fields, 'lore'];
}

function byName(lore: readonly LoreInput[]): ReadonlyMap<string, LoreInput> {
  return new Map(lore.map((entry) => [entry.name, entry]));
}

/** Collects the fields of a character that a document does not express; null where it expresses all. */
export function ownFields(character: Character, said: Character, extensions: Record<string, unknown>) {
  const names = differences(character, said);
  if (names.length === 0 && Object.keys(extensions).length === 0) return null;
  const fields = names.map((name) => [
    name,
    { value: valueOf(character, name) ?? null, instead: hashOf(said, name) },
  ]);
  return { fields: Object.fromEntries(fields) as z.infer<typeof Own>['fields'], extensions };
}

/** Merges a document's character with Kith's own fields in it, and names those; null where they are not valid. */
export function withOwnFields(said: Character, own: unknown) {
  const parsed = Own.safeParse(own);
  if (!parsed.success) return null;
  const valid = Object.entries(parsed.data.fields).filter(
    ([name, { value, instead }]) =>
      instead === hashOf(said, name) && (name !== COSTLY || Usual.safeParse(value).success),
  );
  const values = new Map(valid.map(([name, { value }]) => [name, value ?? undefined]));
  const fields = FIELDS.filter((name) => values.has(name)).map((name) => [name, values.get(name)]);
  const { extensions } = parsed.data;
  const persona = Persona.safeParse({
    ...said.persona,
    ...Object.fromEntries(fields),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  });
  const lore = z.array(LoreInput).safeParse(values.has('lore') ? values.get('lore') : said.lore);
  if (!persona.success || !lore.success) return null;
  return { persona: persona.data, lore: lore.data, ownNames: [...values.keys()] };
}

function valueOf({ persona, lore }: Character, name: string): unknown {
  return name === 'lore' ? lore : persona[name as keyof Persona];
}

/** Independent of the order of fields, which a database does not keep, and of rules of lore that earlier files lack. */
function hashOf(character: Character, name: string): string {
  const value =
    name === 'lore' ? character.lore.map(withoutUsualRules) : character.persona[name as keyof Persona];
  const text = JSON.stringify(sorted(value)) as string | undefined;
  return hash('sha256', text ?? '').slice(0, 32);
}

function withoutUsualRules({ wholeWords, probability, ...entry }: LoreInput): object {
  return { ...entry, ...(!wholeWords && { wholeWords }), ...(probability < 100 && { probability }) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
}
