import { isDeepStrictEqual } from 'node:util';
import { type LoreInput, present } from '@kith/contracts';
import { emptyReport, type Character, type CharacterReport } from '../character.js';
import { isObject, objectOf, textOf, type Json } from '../json-values.js';
import { readDialogues, writeDialogues } from '../dialogue-text.js';
import { draftCharacter, namedApart } from '../draft-character.js';
import { companionOf, contentOf, readLoreEntries, withDecorators } from '../read-lorebook.js';
import { byText, reportFields, type FormatFamily } from './format.js';

/** Fields of a V1 card, which newer ones have in `data`. */
const FLAT = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'] as const;

/** Names that Pygmalion and its text generators have for these fields, in files that Tavern takes as well. */
const PYGMALION: ReadonlyMap<string, string> = new Map([
  ['char_name', 'name'],
  ['char_persona', 'description'],
  ['world_scenario', 'scenario'],
  ['char_greeting', 'first_mes'],
  ['example_dialogue', 'mes_example'],
]);
/** A name and two other fields: fewer are in files of anything. */
const MIN_FLAT = 3;

const UNDERSTOOD = {
  name: 'its name',
  description: 'who it is',
  personality: 'who it is, and its tone',
  scenario: 'who it is',
  first_mes: 'its greeting',
  mes_example: 'example dialogue',
  creator_notes: 'what people read of it; in no prompt',
};
const KEPT = {
  system_prompt: 'in no prompt: the rules of Kith hold',
  post_history_instructions: 'in no prompt: the rules of Kith hold',
  alternate_greetings: 'a companion has one greeting',
  tags: 'for lists of other programs',
  scan_depth: 'lore is called up by the last few messages',
  token_budget: 'lore has its share of the prompt',
};

/** Tavern cards: V1, V2 and V3, as JSON. */
export const tavern: FormatFamily = {
  key: 'tavern',

  recognise(document) {
    if (isNested(document)) return document['spec'] === 'chara_card_v2' ? 'tavern-v2' : 'tavern-v3';
    const flat = withTavernNames(document);
    const count = FLAT.filter((name) => typeof flat[name] === 'string').length;
    return count >= MIN_FLAT && textOf(flat['name']).trim() !== '' ? 'tavern-v1' : null;
  },

  normalise(document) {
    if (isNested(document)) return document;
    const isFlat = (name: string): boolean => (FLAT as readonly string[]).includes(name);
    const fields = Object.entries(withTavernNames(document));
    return {
      ...Object.fromEntries(fields.filter(([name]) => !isFlat(name))),
      spec: 'chara_card_v2',
      spec_version: '2.0',
      // Without a generation, `data` is a field like any other, and the card's own stand beside it.
      data: { ...objectOf(document['data']), ...Object.fromEntries(fields.filter(([name]) => isFlat(name))) },
    };
  },

  read(kept, report) {
    const data = objectOf(kept['data']);
    const text = (name: string): string => textOf(data[name]);
    const { texts, others } = byText(data, UNDERSTOOD);
    reportFields({ ...data, extensions: {}, character_book: {} }, '', texts, report, { ...KEPT, ...others });
    reportFields(objectOf(data['extensions']), 'extensions.', {}, report);
    const part = (title: string, name: string): string =>
      text(name).trim() ? `${title}: ${text(name)}` : '';
    return draftCharacter(
      {
        name: text('name'),
        description: [text('description'), part('Personality', 'personality'), part('Scenario', 'scenario')],
        tagline: [text('creator_notes'), text('personality'), text('description')],
        about: text('creator_notes'),
        tone: text('personality'),
        greeting: text('first_mes'),
        dialogues: readDialogues(text('mes_example'), text('name')),
        interests: [],
        lore: readBook(data, report).flatMap(({ entry }) => entry ?? []),
      },
      report,
    );
  },

  blank() {
    return {
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: {
        name: '',
        description: '',
        personality: '',
        scenario: '',
        first_mes: '',
        mes_example: '',
        creator_notes: '',
        system_prompt: '',
        post_history_instructions: '',
        alternate_greetings: [],
        tags: [],
        creator: '',
        character_version: '',
        extensions: {},
      },
    };
  },

  change(kept, character, changed) {
    const { persona } = character;
    const { style: before } = tavern.read(kept, emptyReport('tavern')).persona;
    const fields: Json = {
      ...(changed.has('name') && { name: persona.name }),
      ...(changed.has('description') && { description: persona.description, scenario: '' }),
      ...(persona.style.tone !== before.tone && { personality: persona.style.tone }),
      // A new tagline goes into the notes only where there is no `about`.
      ...((changed.has('about') || (changed.has('tagline') && persona.about === undefined)) && {
        creator_notes: persona.about ?? persona.tagline,
      }),
      ...(changed.has('greeting') && { first_mes: persona.greeting }),
      ...(changed.has('exampleDialogue') && { mes_example: writeDialogues(persona.exampleDialogue) }),
    };
    const data = objectOf(kept['data']);
    // Some programs repeat a card's oldest fields beside `data`.
    const repeated = FLAT.filter((name) => name in kept && name in fields).map((name) => [
      name,
      fields[name],
    ]);
    const book = changed.has('lore') ? changeBook(data, character) : data['character_book'];
    return {
      ...kept,
      ...(Object.fromEntries(repeated) as Json),
      data: { ...data, ...fields, ...(book !== undefined && { character_book: book }) },
    };
  },

  holderOf: (kept) => objectOf(objectOf(kept['data'])['extensions']),

  withHolder: (kept, extensions) => ({ ...kept, data: { ...objectOf(kept['data']), extensions } }),
};

/** Tells whether a card has its fields in `data`, as V2 and later do. */
function isNested(document: Json): boolean {
  return textOf(document['spec']).startsWith('chara_card_v') && isObject(document['data']);
}

/** A card of one level with the names that Tavern has for its fields, where those stand empty. */
function withTavernNames(document: Json): Json {
  const named = Object.fromEntries(
    [...PYGMALION]
      .filter(([name, ofTavern]) => name in document && textOf(document[ofTavern]).trim() === '')
      .map(([name, ofTavern]) => [ofTavern, document[name]]),
  );
  const others = Object.entries(document).filter(
    ([name]) => !Object.hasOwn(named, PYGMALION.get(name) ?? name),
  );
  return { ...Object.fromEntries(others), ...named };
}

/** A card as one generation's programs want it. */
export function asGeneration(card: Json, generation: 2 | 3): Json {
  const spec = `chara_card_v${generation}`;
  const data = objectOf(card['data']);
  return {
    ...card,
    spec,
    spec_version: card['spec'] === spec ? card['spec_version'] : `${generation}.0`,
    data:
      generation === 3 && !('group_only_greetings' in data) ? { ...data, group_only_greetings: [] } : data,
  };
}

/** A book's entries as they stand, each with what Kith makes of it. */
function readBook(data: Json, report?: CharacterReport) {
  const book = objectOf(data['character_book']);
  const { scan_depth, token_budget } = book;
  if (report) reportFields({ scan_depth, token_budget }, 'character_book.', {}, report, KEPT);
  const isRecursive = book['recursive_scanning'] === true;
  const companion = companionOf(data);
  const held = book['entries'];
  const raws = (Array.isArray(held) ? held : Object.values(objectOf(held))).map(objectOf);
  const reads = readLoreEntries(raws, { isOurs: false, isRecursive, companion });
  const left = reads.flatMap((read) => ('why' in read ? [read] : []));
  for (const { name, why } of left.slice(0, MAX_LEFT_REPORTED))
    report?.kept.push({ field: `lore: ${name}`, note: why });
  if (left.length > MAX_LEFT_REPORTED)
    report?.kept.push({ field: 'lore', note: `${left.length - MAX_LEFT_REPORTED} more entries` });
  const count = reads.length - left.length;
  if (count > 0)
    report?.understood.push({ field: 'character_book', note: `${count} of ${reads.length} entries` });
  const named = namedApart(reads.flatMap((read) => ('entry' in read ? [read.entry] : []))).values();
  return raws.map((raw, position) => {
    const read = present(reads[position]);
    const entry = 'entry' in read ? present(named.next().value) : null;
    return { raw, name: entry?.name ?? ('name' in read ? read.name : ''), entry };
  });
}

/** The first few show what is wrong with the others. */
const MAX_LEFT_REPORTED = 20;

/** The book as the character's lore has it now: entries that did not change stand as they were. */
function changeBook(data: Json, { lore }: Character): Json | undefined {
  const book = objectOf(data['character_book']);
  const before = readBook(data);
  const current = new Map(lore.map((entry) => [entry.name, entry]));
  // A book scans what its entries say for more of them, but for those that are left out of it.
  const isRecursive = book['recursive_scanning'] === true || lore.some(({ recursive }) => recursive);
  const scanned = (entry: Json, { recursive }: LoreInput) =>
    isRecursive ? setRecursion(entry, recursive) : entry;
  const entries = before.flatMap(({ raw, name, entry }): Json[] => {
    if (!entry) {
      // One that was left, and is told here all the same, is in the book already.
      if (current.get(name)?.content === contentOf(raw).text.trim()) current.delete(name);
      return [raw];
    }
    const now = current.get(entry.name);
    if (!now) return [];
    current.delete(entry.name);
    return [scanned(changeEntry(raw, entry, now), now)];
  });
  entries.push(...[...current.values()].map((entry) => scanned(newEntry(entry), entry)));
  if (entries.length === 0 && !('character_book' in data)) return undefined;
  return { extensions: {}, ...book, ...(isRecursive && { recursive_scanning: true }), entries };
}

function setRecursion(entry: Json, recursive: boolean): Json {
  const extensions = objectOf(entry['extensions']);
  if (((entry['excludeRecursion'] ?? extensions['exclude_recursion']) === true) === !recursive) return entry;
  return {
    ...entry,
    ...('excludeRecursion' in entry && { excludeRecursion: !recursive }),
    extensions: { ...extensions, exclude_recursion: !recursive },
  };
}

function changeEntry(raw: Json, before: LoreInput, now: LoreInput): Json {
  if (isDeepStrictEqual(before, now)) return raw;
  const written = newEntry(now);
  const differs = (field: keyof LoreInput): boolean => !isDeepStrictEqual(before[field], now[field]);
  const take = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, written[name]]));
  // A field that was changed goes before the decorator that says the same.
  const ended = [
    ...(differs('constant') ? ['activate'] : []),
    ...(differs('enabled') ? ['activate', 'dont_activate'] : []),
    ...(differs('secondaryKeys') ? ['additional_keys'] : []),
  ];
  const content = withDecorators(raw, now.content, ended);
  return {
    ...raw,
    ...(differs('keys') && take('keys', 'use_regex')),
    ...(differs('secondaryKeys') && take('secondary_keys', 'selective')),
    ...((differs('content') || content !== withDecorators(raw, now.content, [])) && { content }),
    ...(differs('constant') && take('constant')),
    ...(differs('caseSensitive') && take('case_sensitive')),
    ...((differs('wholeWords') || differs('probability')) && {
      extensions: { ...objectOf(raw['extensions']), ...rulesOf(now) },
    }),
    ...(differs('priority') && take('priority')),
    ...(differs('insertionOrder') && take('insertion_order')),
    ...(differs('enabled') && { enabled: now.enabled, ...('disable' in raw && { disable: !now.enabled }) }),
  };
}

function newEntry(entry: LoreInput): Json {
  return {
    name: entry.name,
    comment: entry.name,
    keys: entry.keys,
    secondary_keys: entry.secondaryKeys,
    selective: entry.secondaryKeys.length > 0,
    content: entry.content,
    constant: entry.constant,
    case_sensitive: entry.caseSensitive,
    priority: entry.priority,
    insertion_order: entry.insertionOrder,
    enabled: entry.enabled,
    position: 'before_char',
    use_regex: false,
    extensions: entry.wholeWords && entry.probability === 100 ? {} : rulesOf(entry),
  };
}

/** Rules of an entry that a card has no field for, as SillyTavern names them. */
function rulesOf({ wholeWords, probability }: LoreInput): Json {
  return { match_whole_words: wholeWords, probability, useProbability: true };
}
