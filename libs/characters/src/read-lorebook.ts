import { LoreInput, cutText, explainIssue, oneLine, type LoreImport } from '@kith/contracts';
import type { z } from 'zod';
import { listOf, objectOf, textOf, textsOf, type Json } from './json-values.js';
import { idOf, namedApart, nameInForce } from './draft-character.js';
import { expandMacros } from './texts.js';

/** `@@name value` lines at the top of an entry (character card V3), and blank ones between them. */
const DECORATORS = /^(?:\s*@@[^\n]*(?:\n|$))+/;
/** One of these lines. What stands behind `@@@` is for programs that do not know the line before. */
const DECORATOR = /^\s*@@(\w+)(.*)/;
/** Decorators by which an entry is told at times alone, of which Kith does not keep track, and is wrong at others. */
const CONDITIONS = 'dont_activate_after_match exclude_keys exclude_keys_all is_greeting is_user_icon'.split(
  ' ',
);

/** An expression as SillyTavern writes it: `/mill(er)?/i`. */
const IN_SLASHES = /^\/.+\/[dgimsuvy]*$/s;
/** Signs by which an expression means something else than the same text. */
const SIGN = /[\\^$.*+?()[\]{}|]/;
/** Stands for a name that is not known; in no text that comes in. */
const UNKNOWN = '\0';
/** SillyTavern's number for what our secondary keys do. */
const ANY_OF_THEM = 0;

/**
 * Reads a lorebook: a list of our entries, a Tavern card (V2 or V3) or its `character_book`, or SillyTavern's world
 * info. Entries that can't be kept as they are meant are left, each with the reason. Pure.
 * @param companionId whose lore it is to be
 * @returns null where it is no lorebook
 */
export function readLorebook(book: unknown, companionId?: string) {
  const found = entriesOf(book);
  if (!found) return null;
  const reads = readLoreEntries(found.entries, { ...found, companionId });
  return {
    entries: namedApart(reads.flatMap((read) => ('entry' in read ? read.entry : []))),
    left: reads.flatMap((read) => ('why' in read ? read : [])),
  };
}

/** Ways in which the entries of one book are read. */
interface BookRules {
  isOurs: boolean;
  isRecursive: boolean;
  /** Name in force of the companion, where the file says it. */
  companion?: string | undefined;
  companionId?: string | undefined;
}

type ReadEntry = { entry: LoreInput } | LoreImport['left'][number];

/** Reads each entry of a book, or says why it is left. Of a group, the first one stays of those that have a key in common. Pure. */
export function readLoreEntries(raws: readonly Json[], rules: BookRules): ReadEntry[] {
  const taken = new Map<string, Set<string>>();
  return raws.map((raw, position) => {
    const read = readLoreEntry(raw, position, rules);
    const group = textOf(raw['group'] ?? objectOf(raw['extensions'])['group']).trim();
    // Of entries that have a chance each, one is told at a time nearly always.
    if (!('entry' in read) || group === '' || !read.entry.enabled || read.entry.probability < 100)
      return read;
    const { name, constant, keys, secondaryKeys } = read.entry;
    const place = [group, ...secondaryKeys].join('\n').toLowerCase();
    const held = taken.get(place) ?? new Set<string>();
    const calls = constant ? [''] : keys.map((key) => key.toLowerCase());
    if (calls.some((call) => held.has(call)))
      return { name, why: 'one entry of its group is told at a time: the first' };
    for (const call of calls) held.add(call);
    taken.set(place, held);
    return read;
  });
}

function readLoreEntry(raw: Json, position: number, rules: BookRules): ReadEntry {
  const name = nameOf(raw, position);
  const meant = rules.isOurs ? withoutRow(raw) : translate(raw, name, rules);
  const why = rules.isOurs ? null : reasonToLeave(raw, meant, rules);
  const read = LoreInput.safeParse(meant);
  return why === null && read.success ? { entry: read.data } : { name, why: why ?? problemOf(read.error) };
}

function entriesOf(book: unknown): ({ entries: Json[] } & BookRules) | null {
  if (Array.isArray(book)) return { entries: book.map(objectOf), isOurs: true, isRecursive: false };
  const outer = objectOf(book);
  const data = objectOf(outer['data']);
  // A book of character card V3 that travels alone is in `data` itself.
  const isAlone = 'entries' in outer || 'entries' in data;
  const books = [outer, data, objectOf(data['character_book'] ?? outer['character_book'])];
  const inner = books.find((one) => 'entries' in one) ?? {};
  const held = inner['entries'];
  if (typeof held !== 'object' || held === null) return null;
  // World info names its entries by number; a card lists them.
  return {
    entries: Object.values(held).map(objectOf),
    isOurs: false,
    isRecursive: inner['recursive_scanning'] === true,
    companion: isAlone ? undefined : companionOf(data),
  };
}

/** Reads the name of a card's companion: it is put into keys, and compared for each entry. */
export function companionOf(data: Json): string | undefined {
  return nameInForce(textOf(data['name'])) || undefined;
}

/** An entry of our own list, as it is given in: a list that was asked for names rows, too. */
function withoutRow({ id: _, updatedAt: __, ...entry }: Json): Json {
  return entry;
}

function translate(raw: Json, name: string, { isRecursive, companion }: BookRules): Json {
  // SillyTavern puts what a card has no field for there.
  const more = objectOf(raw['extensions']);
  const { text, decorators } = contentOf(raw);
  return {
    name,
    keys: withoutMacros(keysOf(raw), companion),
    secondaryKeys: withoutMacros(secondaryKeysOf(raw), companion),
    content: text,
    constant: raw['constant'] === true || decorators.has('activate'),
    caseSensitive: (raw['case_sensitive'] ?? raw['caseSensitive'] ?? more['case_sensitive']) === true,
    wholeWords: (more['match_whole_words'] ?? raw['matchWholeWords']) !== false,
    ...chance(more['probability'] ?? raw['probability'], more['useProbability'] ?? raw['useProbability']),
    recursive: isRecursive && (raw['excludeRecursion'] ?? more['exclude_recursion']) !== true,
    ...whole('priority', raw['priority']),
    ...whole('insertionOrder', raw['insertion_order'] ?? raw['order']),
    enabled:
      raw['enabled'] !== false &&
      raw['disable'] !== true &&
      (!decorators.has('dont_activate') || decorators.has('activate')),
  };
}

/** Reads an entry's text, and the decorators above it. */
export function contentOf(raw: Json) {
  const content = textOf(raw['content']);
  const [head = ''] = DECORATORS.exec(content) ?? [];
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.flatMap((line) => {
    const [, name, value = ''] = DECORATOR.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.trim()] as const];
  });
  return { text: content.slice(head.length), lines, decorators: new Map<string, string>(pairs) };
}

/** Writes an entry's text below the decorators that it has, but for those of these names. */
export function withDecorators(raw: Json, text: string, without: readonly string[]): string {
  const kept = contentOf(raw).lines.filter((line) => !without.includes(DECORATOR.exec(line)?.[1] ?? ''));
  return [...kept, text].join('\n');
}

/** Tells why an entry can't be told as it is meant; null where it can. */
function reasonToLeave(raw: Json, meant: Json, rules: BookRules): string | null {
  return conditionOf(raw, rules) ?? (meant['constant'] === true ? null : problemOfKeys(raw, meant));
}

/**
 * Names a condition, beside its keys, on which an entry is told in other programs; null where there is none. A delay, and
 * a call by other entries alone, are none: an entry that is told too soon does less harm than one that never is.
 */
function conditionOf(raw: Json, { companion, companionId }: BookRules): string | null {
  const { decorators } = contentOf(raw);
  const isTwice = decorators.has('additional_keys') && ownSecondaryKeysOf(raw).length > 0;
  const decorator = isTwice ? 'additional_keys' : CONDITIONS.find((name) => decorators.has(name));
  if (decorator !== undefined) return `it is told at times alone: @@${decorator}`;
  const more = objectOf(raw['extensions']);
  const filter = objectOf(raw['characterFilter'] ?? raw['character_filter'] ?? more['character_filter']);
  // Its tags are numbers of one installation, and say nothing of a companion here.
  const named = strings(filter['names']).map((name) => idOf(name));
  const own = [companionId, companion === undefined ? undefined : idOf(companion)];
  const isNamed = named.some((id) => own.includes(id));
  return named.length > 0 && isNamed === (filter['isExclude'] === true) ? 'it is for other characters' : null;
}

/** Tells why an entry's keys can't be kept; null where they can. */
function problemOfKeys(raw: Json, { keys, secondaryKeys }: Json): string | null {
  const isLost = (all: readonly string[], kept: unknown) => all.length > 0 && strings(kept).length === 0;
  if (isLost(keysOf(raw), keys) || isLost(secondaryKeysOf(raw), secondaryKeys))
    return 'its keys are the name of the person, or of a companion that is not named here';
  const more = objectOf(raw['extensions']);
  // SillyTavern says of each entry that its keys are expressions, and reads those between slashes as such.
  const isSaid = raw['use_regex'] === true && !('selectiveLogic' in more);
  const isExpression = (key: string) => IN_SLASHES.test(key) || (isSaid && SIGN.test(key));
  const all = [...strings(keys), ...strings(secondaryKeys)];
  if (raw['use_regex'] !== false && all.some(isExpression)) return 'its keys are regular expressions';
  const logic = raw['selectiveLogic'] ?? more['selectiveLogic'] ?? ANY_OF_THEM;
  if (logic !== ANY_OF_THEM && secondaryKeysOf(raw).length > 0)
    return 'its secondary keys are of another logic than "any of them"';
  return null;
}

function nameOf(raw: Json, position: number): string {
  const given = [raw['name'], raw['comment'], keysOf(raw)[0]].find(
    (name): name is string => typeof name === 'string' && name.trim() !== '',
  );
  return cutText(oneLine(given ?? `entry ${position + 1}`), 120);
}

function problemOf(error: z.ZodError | undefined): string {
  const issue = error?.issues[0];
  return issue ? `${issue.path.map(String).join('.') || 'entry'}: ${explainIssue(issue)}` : 'not readable';
}

function whole(name: string, value: unknown): Json {
  return typeof value === 'number' && Number.isFinite(value) ? { [name]: Math.round(value) } : {};
}

/** Reads SillyTavern's chance of an entry, in percent; a switch of its own turns it off. */
function chance(probability: unknown, isUsed: unknown): Json {
  return isUsed === false ? {} : whole('probability', probability);
}

function keysOf(raw: Json): string[] {
  return strings(raw['keys'] ?? raw['key']);
}

/** Reads the secondary keys of the entry's own field, where they are used: world info holds some that a switch turns off. */
function ownSecondaryKeysOf(raw: Json): string[] {
  return raw['selective'] === false ? [] : strings(raw['secondary_keys'] ?? raw['keysecondary']);
}

function secondaryKeysOf(raw: Json): string[] {
  const own = ownSecondaryKeysOf(raw);
  return own.length > 0 ? own : strings(contentOf(raw).decorators.get('additional_keys'));
}

/** Expands macros of keys. A key with a name that is not known is left out: it would be found nowhere. */
function withoutMacros(keys: readonly string[], companion = UNKNOWN): string[] {
  return strings(keys.map((key) => expandMacros(key, { name: companion, person: UNKNOWN }))).filter(
    (key) => !key.includes(UNKNOWN),
  );
}

/** Reads a list of texts, or a text of some that are parted by commas. */
function strings(value: unknown): string[] {
  return textsOf(typeof value === 'string' ? value.split(',') : listOf(value));
}
