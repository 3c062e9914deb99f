import { boundTime } from '@kith/contracts';
import pg from 'pg';

type GetTypeParser = typeof pg.types.getTypeParser;
type TypeId = Parameters<GetTypeParser>[0];

const { TIMESTAMPTZ, DATE } = pg.types.builtins;
/** Types `text[]` and `uuid[]`, which the driver has no names for. */
const LISTS: ReadonlySet<number> = new Set([1009, 2951]);
/** A list within which PostgreSQL quotes nothing; an empty place is spelled NULL there. */
const PLAIN_LIST = /^\{[^{}"\\]*\}$/;
/** Times within the bounds. PostgreSQL writes any other with a sign, more digits, an era or as a word. */
const BOUNDED = /^(?:19|2[01])\d\d-[^B]*$/;

const DATE_LENGTH = '2026-11-22'.length;

/**
 * Reads times that lie outside of the bounds as the nearest one within: rows from before there were bounds, or that
 * somebody wrote by hand. One such row must not fail a list, or a job over the rows beside it.
 */
export function boundedTypes(given: { getTypeParser: GetTypeParser } = pg.types): {
  getTypeParser: GetTypeParser;
} {
  return {
    getTypeParser: ((oid: TypeId, format?: 'text') => {
      const parse = given.getTypeParser(oid, format) as (text: string) => unknown;
      if (oid === TIMESTAMPTZ) return (text: string) => readInUtc(text) ?? parse(boundTimestamp(text));
      if (oid === DATE) return (text: string) => parse(boundTimestamp(text).slice(0, 10));
      if (LISTS.has(oid)) return (text: string) => (isPlainList(text) ? readList(text) : parse(text));
      return parse;
    }) as GetTypeParser,
  };
}

/** Reads a time within the bounds in UTC, as every session writes it, in half the time that the driver takes. */
function readInUtc(text: string): Date | null {
  return BOUNDED.test(text) && text.endsWith('+00')
    ? new Date(`${text.slice(0, DATE_LENGTH)}T${text.slice(DATE_LENGTH + 1, -'+00'.length)}Z`)
    : null;
}

function isPlainList(text: string): boolean {
  return PLAIN_LIST.test(text) && !text.includes('NULL');
}

/** Reads a list of plain texts, such as ids, faster than the driver, which goes from letter to letter. */
function readList(text: string): string[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',');
}

/** Moves a time that PostgreSQL wrote to the nearest one within the bounds. Pure. */
export function boundTimestamp(text: string): string {
  if (BOUNDED.test(text)) return text;
  const isEarly = text.startsWith('-') || text.endsWith('BC') || /^[01]\d{3}-/.test(text);
  return boundTime(new Date(isEarly ? -8.64e15 : 8.64e15))
    .toISOString()
    .replace('T', ' ')
    .replace('Z', '+00');
}
