import { sql, type Reader, type Sql } from '@kith/database';
import {
  foldAccents,
  foldLetters,
  isStopWord,
  languageOfRun,
  MAX_WORD_CHARACTERS,
  segmentWords,
  wordRuns,
} from '@kith/reading';
import { languageOf } from '../words/analyse-text.js';
import { EMOJI_VARIATIONS, emojiOf } from '../words/emoji.js';
import { IS_LEFT, isAudible, type AudibleShelf } from './audience-conditions.js';
import type { MemoryScope } from './memory-scope.js';
import { RECALL_COLUMNS, type RecallRow } from './memory-row.js';

/** Finds rows whose text has one of a query's words, by Postgres alone: for when the index is down. */
export async function searchText(
  tx: Reader,
  scope: MemoryScope,
  query: string,
  { limit, shelf = 'open' }: { limit: number; shelf?: AudibleShelf },
): Promise<RecallRow[]> {
  const words = searchWords(query);
  return tx.$queryRaw<RecallRow[]>`
    SELECT ${RECALL_COLUMNS} FROM memories AS row ${READ} WHERE ${isAudible(scope, shelf)} AND ${hasWord(words)}
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
): Promise<Pick<RecallRow, 'id' | 'text'>[]> {
  const words = searchWords(query);
  return tx.$queryRaw`
    SELECT id, text FROM (
      SELECT id::text, text, row_number() OVER (
        PARTITION BY CASE WHEN shelf IN ('quarantine', 'withdrawn') THEN shelf ELSE 'left' END
        ORDER BY ${likeness(words)} DESC, said_at DESC) AS place
      FROM memories AS row ${READ}
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
        AND (shelf IN ('quarantine', 'withdrawn') OR ${IS_LEFT}) AND ${hasWord(words)}
    ) AS found WHERE place <= ${limit} ORDER BY place`;
}

/**
 * Accents and Arabic marks, which a word may have or not, what varies an emoji, and the marks that nobody sees, as `wordRuns`
 * leaves them out.
 */
const MARKS = String.raw`${EMOJI_VARIATIONS}|[\u0300-\u036f\u0640\u064b-\u0655\u0670\u00ad\u034f\u061c\u180e\u200d-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]`;

/** Characters of a row and of a query that are read: a row has at most 8,000, of which those of Korean become three. */
const [MAX_ROW_READ, MAX_QUERY_READ] = [24_000, 8_000];

/** Katakana, each folded to hiragana. */
const KATAKANA = Array.from({ length: 'ヶ'.charCodeAt(0) - 'ァ'.charCodeAt(0) + 1 }, (_, n) =>
  String.fromCharCode('ァ'.charCodeAt(0) + n),
).join('');
/** Letters that Postgres replaces one by one, and what it puts there. */
const [LETTERS, PLAIN] = [`ıøłđةىیٱک${KATAKANA}ヽヾ`, `iold${foldLetters(`ةىیٱک${KATAKANA}ヽヾ`)}`];

/**
 * Folds a row's text as `searchWords` does a query: both may have the same word with other marks, or in another width.
 * Once for each row: Postgres would do it for each word that is looked for, which takes seconds for some thousand rows.
 */
export const READ = sql`CROSS JOIN LATERAL (
  SELECT CASE WHEN octet_length(row.text) = length(row.text) THEN row.text ELSE
    replace(replace(replace(translate(lower(normalize(
      regexp_replace(left(normalize(row.text, NFKD), ${MAX_ROW_READ}), ${MARKS}, '', 'g'), NFKC)),
      ${LETTERS}, ${PLAIN}), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') END AS folded OFFSET 0) AS read`;

function folded(query: string): string {
  // One character may become eighteen.
  const plain = query.normalize('NFKC').slice(0, MAX_QUERY_READ);
  return foldAccents(plain.toLowerCase());
}

/** Words of a query, by whether their script has spaces. */
export interface SearchWords {
  spaced: string[];
  unspaced: string[];
}

/** Matches texts, joined with `READ`, that have one of the words. */
export function hasWord({ spaced, unspaced }: SearchWords): Sql {
  return sql`(to_tsvector('english', folded) @@ to_tsquery('english', ${spaced.join(' | ')})
    OR folded LIKE ANY (${patternsOf(unspaced)}::text[]))`;
}

/** Scores texts, joined with `READ`, by the words they have. */
export function likeness({ spaced, unspaced }: SearchWords): Sql {
  return sql`ts_rank(to_tsvector('english', folded), to_tsquery('english', ${spaced.join(' | ')}))
    + (SELECT count(*) FROM unnest(${patternsOf(unspaced)}::text[]) AS pattern WHERE folded LIKE pattern)`;
}

function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => `%${word}%`);
}

/** Words of a query that are searched for: a pasted page is no query. */
const MAX_QUERY_WORDS = 40;

/**
 * Reads a query's words for Postgres, folded, without those that every other sentence has unless there are no others; of
 * scripts without spaces those that a dictionary finds, and pairs of characters; of a query without words its emoji.
 */
export function searchWords(query: string): SearchWords {
  const language = languageOf(query);
  const runs = wordRuns(folded(query)).slice(0, MAX_QUERY_WORDS);
  if (runs.length === 0)
    return { spaced: [], unspaced: emojiOf(query.slice(0, MAX_QUERY_READ)).slice(0, MAX_QUERY_WORDS) };
  const words = runs.flatMap(({ word, isUnspaced }) => (isUnspaced ? [] : [word]));
  const telling = words.filter((word) => !isStopWord(word, language));
  const unspaced = runs.flatMap(({ word, isUnspaced }) =>
    isUnspaced ? segmentWords(word, languageOfRun(word, language)) : [],
  );
  return {
    // A word that was cut matches all that begin with it.
    spaced: [...new Set(telling.length > 0 || unspaced.length > 0 ? telling : words)]
      .map((word) => `${foldLetters(word)}${word.length < MAX_WORD_CHARACTERS ? '' : ':*'}`)
      .filter(isWord),
    unspaced: [...new Set(unspaced.map(foldLetters))].slice(0, MAX_QUERY_WORDS),
  };
}

/** Tells whether it is one word, which a tsquery needs: a cut may leave half a character, and folding nothing at all. */
function isWord(word: string): boolean {
  return /^[\p{L}\p{N}\p{M}]+(?::\*)?$/u.test(word);
}
