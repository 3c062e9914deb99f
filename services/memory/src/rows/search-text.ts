import { sql, type Reader, type Sql } from '@kith/database';
import { languageOfRun, MAX_WORD_CHARACTERS, segmentWords, wordRuns } from '@kith/reading';
import { foldText, languageOf } from '../words/analyse-text.js';
import { IS_LEFT, isAudible, type AudibleShelf } from './audience-conditions.js';
import type { MemoryScope } from './memory-scope.js';
import { COLUMNS, type MemoryRow } from './memory-row.js';

/** Finds rows whose text has one of a query's words, by Postgres alone: for when the index is down. */
export async function searchText(
  tx: Reader,
  scope: MemoryScope,
  query: string,
  { limit, shelf = 'open' }: { limit: number; shelf?: AudibleShelf },
): Promise<MemoryRow[]> {
  const words = searchWords(query);
  return tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row WHERE ${isAudible(scope, shelf)} AND ${hasWord(words)}
    ORDER BY ${likeness(words)} DESC, said_at DESC LIMIT ${limit}`;
}

/**
 * Finds rows that nobody may hear, whose text has one of a query's words: in quarantine, withdrawn, or told in servers that
 * the app has left. They are for their owner's orders alone.
 * @param limit most rows of each of these
 */
export function searchUnheard(
  tx: Reader,
  { personId, companionId }: Omit<MemoryScope, 'audience'>,
  query: string,
  limit: number,
): Promise<Pick<MemoryRow, 'id' | 'text'>[]> {
  const words = searchWords(query);
  return tx.$queryRaw`
    SELECT id, text FROM (
      SELECT id::text, text, row_number() OVER (
        PARTITION BY CASE WHEN shelf IN ('quarantine', 'withdrawn') THEN shelf ELSE 'left' END
        ORDER BY ${likeness(words)} DESC, said_at DESC) AS place
      FROM memories AS row
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
        AND (shelf IN ('quarantine', 'withdrawn') OR ${IS_LEFT}) AND ${hasWord(words)}
    ) AS found WHERE place <= ${limit} ORDER BY place`;
}

/** Words of a query, by whether their script has spaces. */
export interface SearchWords {
  spaced: string[];
  unspaced: string[];
}

/** Matches texts that have one of the words. */
export function hasWord({ spaced, unspaced }: SearchWords): Sql {
  return sql`(to_tsvector('english', text) @@ to_tsquery('english', ${spaced.join(' | ')})
    OR text ILIKE ANY (${patternsOf(unspaced)}::text[]))`;
}

/** Scores texts by the words they have. */
export function likeness({ spaced, unspaced }: SearchWords): Sql {
  return sql`ts_rank(to_tsvector('english', text), to_tsquery('english', ${spaced.join(' | ')}))
    + (SELECT count(*) FROM unnest(${patternsOf(unspaced)}::text[]) AS pattern WHERE text ILIKE pattern)`;
}

function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => `%${word}%`);
}

/** Words of a query that are searched for: a pasted page is no query. */
const MAX_QUERY_WORDS = 40;

/**
 * Reads a query's words for Postgres: as written and without accents; of scripts without spaces those that a dictionary
 * finds, and pairs of characters.
 */
export function searchWords(query: string): SearchWords {
  const language = languageOf(query);
  const runs = wordRuns(query.toLowerCase()).slice(0, MAX_QUERY_WORDS);
  const spaced = runs.flatMap(({ word, isUnspaced }) => (isUnspaced ? [] : [word, foldText(word)]));
  const unspaced = runs.flatMap(({ word, isUnspaced }) =>
    isUnspaced ? segmentWords(word, languageOfRun(word, language)) : [],
  );
  return {
    // A word that was cut matches all that begin with it.
    spaced: [...new Set(spaced)]
      .filter(isWord)
      .map((word) => (word.length < MAX_WORD_CHARACTERS ? word : `${word}:*`)),
    unspaced: [...new Set(unspaced)].slice(0, MAX_QUERY_WORDS),
  };
}

/** Tells whether it is one word, as a tsquery takes no other: folding may have split it. */
function isWord(word: string): boolean {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(word);
}
