import type { ImportRecord, ImportResult } from '@kith/contracts';
import { uuid7 } from '@kith/database';
import { factHashOf } from '../facts/fact-records.js';
import type { MemoryRow } from '../rows/memory-row.js';
import { contentHashOf } from '../words/content-hash.js';
import { decideWrite, shelfFor } from '../words/decide-write.js';
import { scoreImportance } from '../words/score-importance.js';
import { splitText } from '../words/split-text.js';
import { MAX_SOURCES } from './plan-episodes.js';

/** A line that is to be kept, of a size that is remembered. */
export type ImportDraft = Omit<ImportRecord, 'importance'> & { contentHash: string; importance: number };

/** A row with the words of a draft. */
export type ImportTwin = Pick<
  MemoryRow,
  'id' | 'kind' | 'audience' | 'contentHash' | 'sources' | 'saidAt'
> & {
  /** True for an episode that is kept as somebody else's words. */
  isOfOthers: boolean;
};

/** A draft as it is inserted. */
export type NewImport = ImportDraft & { id: string; shelf: string; shelfReason: string | null };

/** A decision about the drafts of several requests of one person. */
export interface ImportPlan {
  fresh: NewImport[];
  /** Rows that were there, with the sources they have now. They are read again as said anew. */
  grown: {
    id: string;
    sources: string[];
    saidAt: string;
    /** True: the person's own words, which were kept as somebody else's. */
    isTheirs: boolean;
  }[];
  /** Result of each request, in their order. */
  results: ImportResult[];
}

/** A row that was there, as the requests so far have left it. */
type Held = ImportPlan['grown'][number] & Pick<ImportTwin, 'kind' | 'isOfOthers'>;

/** Divides records into drafts; those of the same words become one, of when it was said last. */
export function draftsOf(records: readonly ImportRecord[]): ImportDraft[] {
  const drafts = new Map<string, ImportDraft>();
  for (const record of records.map(inOrderOfTime)) {
    const { fact } = record;
    for (const text of splitText(record.text)) {
      const importance = record.importance ?? scoreImportance(text);
      const contentHash = fact
        ? factHashOf({ ...fact, validFrom: new Date(fact.validFrom) })
        : contentHashOf(text);
      const draft = { ...record, text, importance, contentHash };
      const twin = drafts.get(keyOf(draft));
      drafts.set(keyOf(draft), twin ? { ...twin, ...mergeOf(twin, draft), ...whoseOf(twin, draft) } : draft);
    }
  }
  return [...drafts.values()];
}

/**
 * Reads the times of a fact in the order in which talk has them: it was said when it began or since, and did not end before
 * it began. One without an end of which it is known when it stops holding by itself ends then.
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
 * Decides which drafts become rows, which add their sources to a row, and which are left out, as if the requests had come
 * one after the other. Pure but for new ids.
 */
export function planImport(
  requests: readonly (readonly ImportDraft[])[],
  { forgotten, twins }: { forgotten: ReadonlySet<string>; twins: readonly ImportTwin[] },
): ImportPlan {
  const fresh = new Map<string, NewImport>();
  const held = new Map(
    twins.map((twin): [string, Held] => [
      keyOf(twin),
      { ...twin, saidAt: twin.saidAt.toISOString(), isTheirs: false },
    ]),
  );
  const grown = new Map<string, ImportPlan['grown'][number]>();
  const results = requests.map((drafts): ImportResult => {
    const result = { kept: 0, known: 0, left: 0 };
    for (const draft of drafts) {
      const key = keyOf(draft);
      const { text, sources } = draft;
      const [row, added] = [held.get(key), fresh.get(key)];
      if (!/[\p{L}\p{N}]/u.test(text) || sources.some((source) => forgotten.has(source))) result.left += 1;
      else if (row) {
        result.known += 1;
        const isTheirs = row.isTheirs || (row.isOfOthers && isOwn(draft));
        if (isTheirs === row.isTheirs && sources.every((source) => row.sources.includes(source))) continue;
        const now = { ...latestOf({ ...row, ...mergeOf(row, draft) }), isTheirs };
        held.set(key, now);
        grown.set(key, now);
      } else if (added) {
        result.known += 1;
        fresh.set(key, { ...latestOf({ ...added, ...mergeOf(added, draft) }), ...whoseOf(added, draft) });
      } else {
        result.kept += 1;
        fresh.set(key, { ...latestOf(draft), id: uuid7(), ...shelfOf(draft) });
      }
    }
    return result;
  });
  return { fresh: [...fresh.values()], grown: [...grown.values()], results };
}

/** Makes a key by which two lines are the same memory. */
function keyOf({ audience, contentHash }: Pick<ImportDraft, 'audience' | 'contentHash'>): string {
  return `${audience} ${contentHash}`;
}

function mergeOf(
  a: Pick<ImportDraft, 'sources' | 'saidAt'>,
  b: Pick<ImportDraft, 'sources' | 'saidAt'>,
): Pick<ImportDraft, 'sources' | 'saidAt'> {
  return { sources: [...new Set([...a.sources, ...b.sources])], saidAt: laterOf(a.saidAt, b.saidAt) };
}

/** Tells whose two lines of the same words are: the person's own, where either is. */
function whoseOf(a: ImportDraft, b: ImportDraft): Pick<ImportDraft, 'speaker' | 'note'> {
  return isOwn(b) ? { speaker: undefined, note: undefined } : { speaker: a.speaker, note: a.note };
}

/** Tells whether a line is the person's own words (`own-words.ts`). */
function isOwn({ kind, speaker, note }: ImportDraft): boolean {
  return kind === 'episode' && speaker === undefined && note !== true;
}

/** Leaves the latest sources of an episode, once none of them is known to be forgotten. What is derived keeps all. */
function latestOf<T extends { kind: string; sources: string[] }>(line: T): T {
  return line.kind !== 'episode' ? line : { ...line, sources: line.sources.slice(-MAX_SOURCES) };
}

/** Chooses the shelf of a line. What a person brings themselves has no daily bound. */
function shelfOf({ withdrawn, text }: ImportDraft): Pick<NewImport, 'shelf' | 'shelfReason'> {
  return withdrawn ? { shelf: 'withdrawn', shelfReason: 'taken back' } : shelfFor(decideWrite(text, 0));
}
