import { LoreInput, explainIssue, type LoreImport } from '@kith/contracts';
import type { z } from 'zod';
import { listOf, objectOf, textsOf, type Json } from './character.js';
import { oneLine } from './texts.js';

interface Lorebook {
  entries: LoreInput[];
  left: LoreImport['left'];
}

/** `@@name value` lines at the top of an entry steer other programs (character card V3). */
export const DECORATORS = /^(?:@@[^\n]*\n)+/;

/**
 * Reads a lorebook: a list of our entries, a Tavern card (V2 or V3) or its `character_book`, or SillyTavern's world
 * info. Entries that can't be kept as they are meant are left, each with the reason. Pure.
 * @returns null for what is no lorebook
 */
export function readLorebook(book: unknown): Lorebook | null {
  const found = entriesOf(book);
  if (!found) return null;
  const entries: LoreInput[] = [];
  const left: LoreImport['left'] = [];
  found.entries.forEach((raw, position) => {
    const read = readLoreEntry(raw, position, found);
    if ('entry' in read) entries.push(read.entry);
    else left.push(read);
  });
  return { entries, left };
}

/** Reads one entry of a book, or says why it is left. Pure. */
export function readLoreEntry(
  raw: Json,
  position: number,
  { isOurs, isRecursive }: { isOurs: boolean; isRecursive: boolean },
): { entry: LoreInput } | LoreImport['left'][number] {
  const name = nameOf(raw, position);
  const why = reasonToLeave(raw);
  const read = LoreInput.safeParse(isOurs ? raw : translate(raw, name, isRecursive));
  return why === null && read.success ? { entry: read.data } : { name, why: why ?? problemOf(read.error) };
}

function entriesOf(book: unknown): { entries: Json[]; isOurs: boolean; isRecursive: boolean } | null {
  if (Array.isArray(book)) return { entries: book.map(objectOf), isOurs: true, isRecursive: false };
  const outer = objectOf(book);
  const card = objectOf(outer['data']);
  const inner = 'entries' in outer ? outer : objectOf(card['character_book'] ?? outer['character_book']);
  const held = inner['entries'];
  if (typeof held !== 'object' || held === null) return null;
  // World info names its entries by number; a card lists them.
  return {
    entries: Object.values(held).map(objectOf),
    isOurs: false,
    isRecursive: inner['recursive_scanning'] === true,
  };
}

function translate(raw: Json, name: string, isRecursive: boolean): Json {
  return {
    name,
    keys: strings(raw['keys'] ?? raw['key']),
    // World info holds secondary keys that a switch turns off.
    secondaryKeys: raw['selective'] === false ? [] : strings(raw['secondary_keys'] ?? raw['keysecondary']),
    content: typeof raw['content'] === 'string' ? raw['content'].replace(DECORATORS, '') : '',
    constant: raw['constant'] === true,
    caseSensitive: (raw['case_sensitive'] ?? raw['caseSensitive']) === true,
    recursive: isRecursive && raw['excludeRecursion'] !== true,
    ...whole('priority', raw['priority']),
    ...whole('insertionOrder', raw['insertion_order'] ?? raw['order']),
    enabled: raw['enabled'] !== false && raw['disable'] !== true,
  };
}

function reasonToLeave(raw: Json): string | null {
  if (raw['use_regex'] === true) return 'its keys are regular expressions';
  const logic = raw['selectiveLogic'];
  if (logic !== undefined && logic !== 0 && strings(raw['keysecondary']).length > 0)
    return 'its secondary keys are of another logic than "any of them"';
  return null;
}

function nameOf(raw: Json, position: number): string {
  const given = [raw['name'], raw['comment'], strings(raw['keys'] ?? raw['key'])[0]].find(
    (name): name is string => typeof name === 'string' && name.trim() !== '',
  );
  return oneLine(given ?? `entry ${position + 1}`).slice(0, 120);
}

function problemOf(error: z.ZodError | undefined): string {
  const issue = error?.issues[0];
  return issue ? `${issue.path.map(String).join('.') || 'entry'}: ${explainIssue(issue)}` : 'not readable';
}

function whole(name: string, value: unknown): Json {
  return typeof value === 'number' && Number.isFinite(value) ? { [name]: Math.round(value) } : {};
}

function strings(value: unknown): string[] {
  return textsOf(listOf(value));
}
