import { hash } from 'node:crypto';
import { LoreInput, MAX_LORE, cutText, oneLine } from '@kith/contracts';
import type { Character, CharacterReport } from './character.js';
import { Persona } from './persona.js';
import { cutAtSentence, expandMacros, firstSentence, macrosLeftOut, splitText } from './texts.js';
import { MAX_LINE, MAX_EXCHANGES, exchangesOf, type DraftLine } from './dialogue-text.js';

/** Character as a file tells it, before it has the form and the measure of a persona. */
export interface CharacterDraft {
  name: string;
  /** Description for the model, part by part. */
  description: readonly string[];
  /** Candidates, the best first. */
  tagline: readonly string[];
  /** Description for readers. */
  about: string;
  tone: string;
  greeting: string;
  dialogues: readonly (readonly DraftLine[])[];
  /** Subjects it likes. */
  interests: readonly string[];
  lore: readonly LoreInput[];
}

/** Limits of a persona: see `persona.ts`. */
const MAX_NAME = 60;
const MAX_ABOUT = 800;
const MAX_DESCRIPTION = 4_000;
const MAX_SEEDS = 8;
/** Characters of a piece of a description that is too long: four fit a prompt's room for lore (600 tokens). */
const OVERFLOW_CHARS = 600;
/** Above the usual priority of a book's entries (100): who the companion is goes before its world. */
const OVERFLOW_PRIORITY = 900;
/** Number in the name of the first piece: the description itself is the first part. */
const FIRST_PIECE = 2;
/** Neither weak nor strong: half of what a seed may have. */
const SEED_STRENGTH = 0.5;

/** Notes in the report what was chosen here. */
type Assume = (field: string, note: string) => void;

/** Makes a character of a draft: chooses what is missing, cuts what is too long, and reports both. */
export function draftCharacter(draft: CharacterDraft, report: CharacterReport): Character {
  const assume: Assume = (field, note) => void report.assumed.push({ field, note });
  const name = fit(oneLine(draft.name), 'name', MAX_NAME, assume) || 'Unnamed';
  if (draft.name.trim() === '') assume('name', name);
  const expand = (text: string, person: string): string => expandMacros(text, { name, person }).trim();
  const macros = macrosLeftOut(textsOfDraft(draft).join('\n'));
  if (macros.length > 0) report.kept.push({ field: macros.join(', '), note: 'left out of its texts' });

  const told = draft.description.map((part) => expand(part, 'the person you talk with')).filter(Boolean);
  const [head = '', ...overflow] = describeCompanion(name, told, assume);
  const greeting = fit(expand(draft.greeting, 'you'), 'greeting', MAX_LINE, assume) || `Hello, I'm ${name}.`;
  if (draft.greeting.trim() === '') assume('greeting', greeting);
  const talks = draft.dialogues.map((lines) =>
    lines.map(({ who, text }) => ({ who, text: expand(text, 'you') })),
  );
  const exampleDialogue = chooseExchanges(talks, greeting, assume);
  // A macro may break the line again.
  const inTone = expand(oneLine(draft.tone), 'them').replaceAll('\n', ' ');
  const tone = fit(inTone, 'style.tone', MAX_LINE, assume) || 'As the description says.';
  const about = fit(expand(draft.about, 'you'), 'about', MAX_ABOUT, assume);
  const tagline = draft.tagline
    .map((text) => cutAtSentence(firstSentence(expand(text, 'you')), 140))
    .find(Boolean);
  const seeds = seedsOf(draft.interests);
  if (seeds.length < new Set(draft.interests).size)
    assume('quirks', `${seeds.length} of its interests: ${MAX_SEEDS} at most, of letters and spaces`);
  assume('traits', 'an average person in all five');
  assume('moodHalfLifeHours', '6');
  assume('style', 'medium length, an emoji rarely');

  const persona = Persona.parse({
    id: idOf(name),
    name,
    tagline: tagline ?? `${name}, a companion`,
    description: head,
    ...(about && { about }),
    traits: { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, stability: 0.5 },
    style: { tone, length: 'medium', says: [], neverSays: [], emoji: 'rarely' },
    exampleDialogue,
    moodHalfLifeHours: 6,
    ...(seeds.length > 0 && { quirks: { seeds } }),
    greeting,
  });
  const lore = [...loreOfOverflow(name, overflow), ...draft.lore];
  if (lore.length > MAX_LORE) {
    const note = `the last ${lore.length - MAX_LORE} of ${lore.length} entries: a companion has ${MAX_LORE} at most`;
    report.dropped.push({ field: 'lore', note });
  }
  return { persona, lore: namedApart(lore.slice(0, MAX_LORE)) };
}

/** The name in force of a companion that a file calls so: it may have a million characters there. */
export function nameInForce(name: string): string {
  return cutAtSentence(oneLine(name), MAX_NAME);
}

/** Texts of a draft in which macros may stand. */
function textsOfDraft({ greeting, tone, about, description, dialogues, lore }: CharacterDraft): string[] {
  const spoken = dialogues.flatMap((lines) => lines.map(({ text }) => text));
  return [greeting, tone, about, ...description, ...spoken, ...lore.map(({ content }) => content)];
}

/** Description for the model, which addresses the companion; where it is too long, the pieces of its rest behind it. */
function describeCompanion(name: string, told: readonly string[], assume: Assume): string[] {
  const isAddressed = told[0]?.startsWith('You are ') ?? false;
  const description = (isAddressed ? told : [`You are ${name}.`, ...told]).join('\n\n');
  if (description.length <= MAX_DESCRIPTION) return [description];
  const pieces = splitHead(description);
  if (pieces.length > 1)
    assume(
      'description',
      `longer than ${MAX_DESCRIPTION} characters: the rest is lore that is told when there is room`,
    );
  return pieces;
}

/** Chooses the exchanges in force of example dialogue; a greeting and its answer where there is none. */
function chooseExchanges(
  talks: readonly (readonly DraftLine[])[],
  greeting: string,
  assume: Assume,
): DraftLine[][] {
  if (talks.flat().some(({ text }) => text.length > MAX_LINE))
    assume('exampleDialogue', `of a line its beginning: ${MAX_LINE} characters are in force`);
  const exchanges = talks.flatMap((lines) =>
    exchangesOf(lines.map(({ who, text }) => ({ who, text: cutAtSentence(text, MAX_LINE) }))),
  );
  if (exchanges.length > MAX_EXCHANGES)
    assume('exampleDialogue', `the first ${MAX_EXCHANGES} of ${exchanges.length} exchanges are in force`);
  if (exchanges.length > 0) return exchanges.slice(0, MAX_EXCHANGES);
  assume('exampleDialogue', 'a greeting and its answer');
  const hello: DraftLine = { who: 'person', text: 'Hello!' };
  return [[hello, { who: 'companion', text: greeting }]];
}

/** Lore of the pieces of a description that is too long: they come first, in their order. */
function loreOfOverflow(name: string, overflow: readonly string[]): LoreInput[] {
  return overflow.map((content, n) =>
    LoreInput.parse({
      name: `About ${name}, ${n + FIRST_PIECE}`,
      content,
      constant: true,
      priority: OVERFLOW_PRIORITY - n,
      insertionOrder: n - overflow.length,
    }),
  );
}

/**
 * Tells whether an entry is a piece of a description that is too long, as `draftCharacter` makes it: its priority follows
 * from the number in its name. A companion may have been renamed since.
 */
export function isOfDescription({ name, constant, priority, insertionOrder }: LoreInput): boolean {
  const number = /^About .+, (\d+)$/.exec(name)?.[1];
  return constant && insertionOrder < 0 && priority === OVERFLOW_PRIORITY + FIRST_PIECE - Number(number);
}

/** Puts a description and its pieces together again, as other programs have it. */
export function wholeCharacter({ persona, lore }: Character): Character {
  const pieces = lore.filter(isOfDescription).toSorted((a, b) => a.insertionOrder - b.insertionOrder);
  const parts = [persona.description, ...pieces.map(({ content }) => content)];
  const lineBreak = parts.some((part) => /[^\n]\n[^\n]/.test(part)) ? '\n' : '\n\n';
  const description = parts.reduce((text, part, n) => {
    const max = n === 1 ? MAX_DESCRIPTION : OVERFLOW_CHARS;
    return text + separatorOf(parts[n - 1] ?? '', part, max, lineBreak) + part;
  });
  return { persona: { ...persona, description }, lore: lore.filter((entry) => !isOfDescription(entry)) };
}

/**
 * Tells what `splitText` has cut away between two pieces: a break that comes soon was chosen over a lesser one behind it.
 * @param lineBreak what it was where it may have been a line's or a paragraph's
 */
function separatorOf(before: string, next: string, max: number, lineBreak: string): string {
  const isCutInWord = before.length === max || (before.length === max - 1 && /^[\uD800-\uDBFF]/.test(next));
  if (isCutInWord) return '';
  const fits = (part = ''): boolean => before.length + 1 + part.length < max;
  const has = (mark: string): boolean => before.lastIndexOf(mark) > max / 2;
  // Text without spaces was not cut at one.
  const isSpaced = has(' ') || next.slice(0, max / 2).includes(' ');
  if (isSpaced && !has('\n') && !fits(next.split(/\s/, 1)[0])) return ' ';
  const isOfParagraph = has('\n\n') || fits(next.split('\n', 1)[0]);
  return isOfParagraph ? '\n\n' : lineBreak;
}

/** A companion's id by its name: `Señor Pip` is `senor-pip`. A name without Latin letters gets its hash. */
export function idOf(name: string): string {
  const latin = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const id = latin
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 63);
  return id || `companion-${hash('sha256', name).slice(0, 8)}`;
}

function splitHead(description: string): string[] {
  const [head = ''] = splitText(description, MAX_DESCRIPTION);
  return [head, ...splitText(description.slice(head.length), OVERFLOW_CHARS)];
}

function fit(text: string, field: string, max: number, assume: Assume): string {
  const fitted = cutAtSentence(text, max);
  if (fitted !== text) assume(field, `its beginning: ${max} characters are in force`);
  return fitted;
}

function seedsOf(interests: readonly string[]) {
  const words = interests
    .map((interest) => oneLine(interest).toLowerCase())
    .filter((interest) => /^[\p{L}][\p{L}' -]{1,39}$/u.test(interest));
  return [...new Set(words)]
    .slice(0, MAX_SEEDS)
    .map((text) => ({ kind: 'interest' as const, text, strength: SEED_STRENGTH }));
}

/** A companion has one entry of a name: a second one is numbered. */
export function namedApart(lore: readonly LoreInput[]): LoreInput[] {
  const taken = new Set<string>();
  // A book may have one name ten thousand times: each goes on from the number that the last one came to.
  const nextNumbers = new Map<string, number>();
  return lore.map((entry) => {
    const base = cutText(entry.name, 110);
    let { name } = entry;
    let number = nextNumbers.get(base) ?? 2;
    for (; taken.has(name); number++) name = `${base} (${number})`;
    nextNumbers.set(base, number);
    taken.add(name);
    return name === entry.name ? entry : { ...entry, name };
  });
}
