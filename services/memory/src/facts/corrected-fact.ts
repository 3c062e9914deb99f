import { cutText, oneLine } from '@kith/contracts';
import { trimEndOf } from '@kith/reading';
import { factOf } from './fact-records.js';
import { denies, keyOf, MAX_VALUE } from './fact-value.js';
import { readByRules } from './read-by-rules.js';
import type { MemoryRow } from '../rows/memory-row.js';

type Content = { attribute: string; value: string };

/** Columns that tell whether a row is a fact that its owner put right, and of what. */
export type CorrectableFact = Pick<MemoryRow, 'kind' | 'writer' | 'wording' | 'attribute' | 'sources'>;

/** Marks at the end of a sentence that are no part of what it tells. */
const END_MARKS = '.!…';
/** Matches what `describeFact` adds to a sentence. */
const ADDED = /^Perhaps | \((?:since|from|said on) [^()]*\)$/gu;

/**
 * Reads the attribute and value of a fact from its owner's corrected sentence: by the rules if they match, else by what
 * replaced the old value or the thing in the sentence. Keeps both where it has both and denies nothing. Else the whole
 * sentence is the value, which later statements replace and do not strengthen; a name stays, as it is told by itself. Pure.
 */
export function correctedFact(row: MemoryRow, text: string): Content {
  const { attribute, value } = factOf(row);
  const [topic = '', thing = ''] = attribute.split(':');
  const [sentence, corrected] = [bare(row.text), bare(text)];
  const own = readByRules({ text: oneLine(text) }).filter((said) => said.attribute.split(':')[0] === topic);
  const told = own.find((said) => said.attribute === attribute) ?? own[0];
  if (told && told.value !== null) return { attribute: told.attribute, value: told.value };
  const now = inPlaceOf(value, sentence, corrected);
  if (now !== null) return { attribute, value: now };
  const about = thing === '' ? null : inPlaceOf(thing, sentence, corrected);
  if (about !== null) return { attribute: `${topic}:${keyOf(about)}`, value };
  const has = (part: string) => corrected.toLowerCase().includes(part.toLowerCase());
  const isKept = topic === 'name' || (has(value) && has(thing) && !denies(corrected));
  return { attribute, value: isKept ? value : cutText(corrected, MAX_VALUE) };
}

/**
 * Tells whether a row is a fact that its owner corrected and that covers what these messages say of its topic. The
 * messages still contain the error, so reading them again would undo the correction. Pure.
 */
export function isPutRight(
  { kind, writer, wording, attribute, sources }: CorrectableFact,
  said: { attribute: string; sources: readonly string[] },
): boolean {
  return (
    kind === 'fact' &&
    writer === 'person' &&
    wording !== null &&
    attribute !== null &&
    topicOf(attribute) === topicOf(said.attribute) &&
    said.sources.length > 0 &&
    said.sources.every((source) => sources.includes(source))
  );
}

/**
 * Finds facts that stay when a line they come from gets new words: those that their owner corrected, where the rules
 * read the same of their topic both times, and facts beside those that the rules find in the new words but do not
 * store again (`isPutRight`). Pure.
 */
export function outlasting<Row extends CorrectableFact>(
  rows: readonly Row[],
  before: string,
  after: string,
): Row[] {
  const stays = (topic: string) => {
    const [old, now] = [saidOf(topic, before), saidOf(topic, after)];
    return old.length > 0 && JSON.stringify(old) === JSON.stringify(now);
  };
  const putRight = rows.filter(
    (row) => row.attribute !== null && isPutRight(row, { ...row, attribute: row.attribute }),
  );
  const staying = putRight.filter(({ attribute }) => stays(topicOf(attribute ?? '')));
  const isRead = (attribute: string) =>
    saidOf(topicOf(attribute), after).some(([said]) => said === attribute);
  return rows.filter((row) => {
    const { attribute, sources } = row;
    if (staying.includes(row)) return true;
    return (
      attribute !== null &&
      isRead(attribute) &&
      staying.some((one) => isPutRight(one, { attribute, sources }))
    );
  });
}

function saidOf(topic: string, text: string): [string, string | null][] {
  return readByRules({ text: oneLine(text) })
    .filter(({ attribute }) => topicOf(attribute) === topic)
    .map(({ attribute, value }) => [attribute, value]);
}

function topicOf(attribute: string): string {
  return attribute.split(':')[0] ?? '';
}

/** Strips what `describeFact` adds, so that sentences with and without it compare as equal. */
function bare(text: string): string {
  return trimEndOf(oneLine(text).replaceAll(ADDED, ''), END_MARKS);
}

/**
 * Finds what replaced a part of the first sentence in the corrected one, ignoring case; null where more has changed.
 */
function inPlaceOf(part: string, sentence: string, corrected: string): string | null {
  const at = part === '' ? -1 : sentence.toLowerCase().lastIndexOf(part.toLowerCase());
  if (at === -1) return null;
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + part.length)];
  if (!corrected.startsWith(before) || !corrected.endsWith(after)) return null;
  const now = corrected.slice(before.length, corrected.length - after.length).trim();
  return now.length === 0 || now.length > MAX_VALUE ? null : now;
}
