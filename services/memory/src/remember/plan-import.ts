import type { ImportRecord, ImportResult } from '@kith/contracts';
import { uuid7 } from '@kith/database';
import { factHashOf } from '../facts/fact-records.js';
import { WISH } from '../facts/read-wishes.js';
import type { MemoryRow } from '../rows/memory-row.js';
import { contentHashOf, importSourceOf } from '../words/content-hash.js';
import { decideWrite, shelfFor } from '../words/decide-write.js';
import { scoreImportance } from '../words/score-importance.js';
import { splitText } from '../words/split-text.js';
import { MAX_SOURCES } from './plan-episodes.js';

/** A line to be stored, short enough for a memory. */
export type ImportDraft = Omit<ImportRecord, 'importance'> & {
  contentHash: string;
  importance: number;
  /** True for an episode that is somebody else's words. */
  isOfOthers: boolean;
};

/** A row with the words of a draft. */
export type ImportTwin = Pick<
  MemoryRow,
  'id' | 'kind' | 'audience' | 'contentHash' | 'sources' | 'saidAt'
> & {
  /** True for an episode that is stored as somebody else's words. */
  isOfOthers: boolean;
};

/** A draft as it is inserted. */
export type NewImport = ImportDraft & { id: string; shelf: string; shelfReason: string | null };

/** A plan for the drafts of several requests of one person. */
export interface ImportPlan {
  fresh: NewImport[];
  /** Existing rows with their new sources. They are read for facts again. */
  grown: {
    id: string;
    sources: string[];
    saidAt: string;
    /** True where the person says what was stored as somebody else's words. */
    isTheirs: boolean;
  }[];
  /** Result of each request, in their order. */
  results: ImportResult[];
}

/** An existing row, as the earlier requests of the plan leave it. */
type HeldRow = ImportPlan['grown'][number] & Pick<ImportTwin, 'kind' | 'isOfOthers'>;

/** Parts of a draft or a row that decide what two of the same words become. */
type JoinedParts = Pick<HeldRow, 'kind' | 'isOfOthers' | 'sources' | 'saidAt'>;

/** Splits records into drafts; those with the same words become one, with the latest time. */
export function draftsOf(records: readonly ImportRecord[]): ImportDraft[] {
  const drafts = new Map<string, ImportDraft>();
  for (const record of records.map(inOrderOfTime)) {
    // A summary is known by its day or topic, of which there is one, so that it stays whole.
    const subjectHash = record.kind === 'reflection' ? record.subjectHash : undefined;
    for (const text of subjectHash === undefined ? splitText(record.text) : [record.text]) {
      const importance = record.importance ?? scoreImportance(text);
      const contentHash = subjectHash ?? hashOf(record, text);
      const sources = sourcesOf({ ...record, contentHash });
      const draft = { ...record, text, importance, contentHash, sources, isOfOthers: isOfOthers(record) };
      const twin = drafts.get(keyOf(draft));
      drafts.set(keyOf(draft), twin ? { ...twin, ...mergeOf(twin, draft), ...whoseOf(draft) } : draft);
    }
  }
  return [...drafts.values()];
}

function hashOf({ fact }: ImportRecord, text: string): string {
  return fact ? factHashOf({ ...fact, validFrom: new Date(fact.validFrom) }) : contentHashOf(text);
}

/** Lists the sources of a line. One without any has one of its own, but for a summary, which is forgotten by its subject. */
function sourcesOf(line: ImportRecord & { contentHash: string }): string[] {
  return line.sources.length > 0 || line.kind === 'reflection' ? line.sources : [importSourceOf(line)];
}

/**
 * Puts a fact's times in a possible order: it was said when it began or later, and did not end before
 * it began. A fact without an end that only holds until a known time ends then.
 */
function inOrderOfTime(record: ImportRecord): ImportRecord {
  const { fact } = record;
  if (!fact) return record;
  const { validFrom, validTo, holdsUntil } = fact;
  return {
    ...record,
    saidAt: laterOf(record.saidAt, validFrom),
    fact: { ...fact, validTo: validTo === null ? holdsUntil : laterOf(validTo, validFrom) },
  };
}

function laterOf(a: string, b: string): string {
  return Date.parse(a) < Date.parse(b) ? b : a;
}

/**
 * Decides which drafts become rows, add their sources to a row, or are left out. The result is the same as for one
 * request after the other. Pure but for new ids.
 */
export function planImport(
  requests: readonly (readonly ImportDraft[])[],
  { isForgotten, twins }: { isForgotten: (draft: ImportDraft) => boolean; twins: readonly ImportTwin[] },
): ImportPlan {
  const fresh = new Map<string, NewImport>();
  const held = new Map(
    twins.map((twin): [string, HeldRow] => [
      keyOf(twin),
      { ...twin, saidAt: twin.saidAt.toISOString(), isTheirs: false },
    ]),
  );
  const grown = new Map<string, ImportPlan['grown'][number]>();
  const results = requests.map((drafts): ImportResult => {
    const result = { kept: 0, known: 0, left: 0 };
    for (const draft of drafts) {
      const key = keyOf(draft);
      const [row, added] = [held.get(key), fresh.get(key)];
      if (!/[\p{L}\p{N}]/u.test(draft.text) || isForgotten(draft)) result.left += 1;
      else if (row) {
        result.known += 1;
        const isTheirs = row.isTheirs || (row.isOfOthers && isOwn(draft));
        const merged = mergeOf(row, draft);
        if (isTheirs === row.isTheirs && merged.sources.every((source) => row.sources.includes(source)))
          continue;
        const isOfOthers = row.isOfOthers && !isTheirs;
        const now = { ...latestOf({ ...row, ...merged }), isTheirs, isOfOthers };
        held.set(key, now);
        grown.set(key, now);
      } else if (added) {
        result.known += 1;
        fresh.set(key, { ...latestOf({ ...added, ...mergeOf(added, draft) }), ...whoseOf(draft) });
      } else {
        result.kept += 1;
        fresh.set(key, { ...latestOf(draft), id: uuid7(), ...shelfOf(draft) });
      }
    }
    return result;
  });
  return { fresh: [...fresh.values()], grown: [...grown.values()], results };
}

/** Makes a key that is equal for two lines of the same memory. */
function keyOf({ audience, contentHash }: Pick<ImportDraft, 'audience' | 'contentHash'>): string {
  return `${audience} ${contentHash}`;
}

/**
 * Joins two lines of the same words. If only one is the person's own, that one counts: it must not be removed with
 * the other's sources.
 */
function mergeOf(a: JoinedParts, b: JoinedParts): Pick<JoinedParts, 'sources' | 'saidAt'> {
  if (a.isOfOthers && isOwn(b)) return { sources: b.sources, saidAt: b.saidAt };
  if (isOwn(a) && b.isOfOthers) return { sources: a.sources, saidAt: a.saidAt };
  return { sources: [...new Set([...a.sources, ...b.sources])], saidAt: laterOf(a.saidAt, b.saidAt) };
}

/** Makes a line the person's own where another of its words is. */
function whoseOf(other: ImportDraft): Partial<Pick<ImportDraft, 'speaker' | 'note' | 'isOfOthers'>> {
  return isOwn(other) ? { speaker: undefined, note: undefined, isOfOthers: false } : {};
}

/** Tells whether a line is somebody else's words: under a name, or a companion's note (`own-words.ts`). */
function isOfOthers({ kind, speaker, note }: ImportRecord): boolean {
  return kind === 'episode' && (speaker !== undefined || note === true);
}

function isOwn({ kind, isOfOthers }: Pick<JoinedParts, 'kind' | 'isOfOthers'>): boolean {
  return kind === 'episode' && !isOfOthers;
}

/** Cuts an episode to its latest sources, once all of them were checked for forgotten ones. Derived rows keep all. */
function latestOf<T extends { kind: string; sources: string[] }>(line: T): T {
  return line.kind !== 'episode' ? line : { ...line, sources: line.sources.slice(-MAX_SOURCES) };
}

/** Chooses the shelf of a line. Imports have no daily limit. */
function shelfOf(draft: ImportDraft): Pick<NewImport, 'shelf' | 'shelfReason'> {
  if (draft.withdrawn) return { shelf: 'withdrawn', shelfReason: 'taken back' };
  const decisions = wordsToJudge(draft).map((words) => decideWrite(words, 0));
  return shelfFor(decisions.find(({ kind }) => kind === 'quarantine') ?? { kind: 'keep' });
}

/** Sets a wish apart from the sentence that tells it: by itself it is judged as it was when it was said. */
function wordsToJudge({ text, fact }: ImportDraft): string[] {
  if (!fact?.attribute.startsWith(WISH) || !text.includes(fact.value)) return [text];
  return [fact.value, text.replace(fact.value, () => '')];
}
