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

/**
 * Reads times that lie outside of the bounds as the nearest one within: rows from before there were bounds, or that
 * somebody wrote by hand. One such row must not fail a list, or a job over the rows beside it.
 */
export function boundedTypes(given: { getTypeParser: GetTypeParser } = pg.types) {
  return {
    getTypeParser: ((oid: TypeId, format?: 'text') => {
      const parse = given.getTypeParser(oid, format) as (text: string) => unknown;
      if (oid === TIMESTAMPTZ) return (text: string) => readInUtc(text) ?? parse(boundTimestamp(text));
      if (oid === DATE) return (text: string) => parse(boundTimestamp(text).slice(0, 10));
      if (LISTS.has(oid)) return (text: string) => readPlainList(text) ?? parse(text);
      return parse;
    }) as GetTypeParser,
  };
}

/** Reads a time within the bounds in UTC, as every session writes it (`2026-11-22 08:05:09.25+00`), digit by digit. */
function readInUtc(text: string): Date | null {
  if (!BOUNDED.test(text) || !text.endsWith('+00')) return null;
  const two = (at: number): number => 10 * digitAt(text, at) + digitAt(text, at + 1);
  const end = text.length - '+00'.length;
  const fraction = (at: number): number => (at < end ? digitAt(text, at) : 0);
  const ms = 100 * fraction(20) + 10 * fraction(21) + fraction(22);
  return new Date(Date.UTC(100 * two(0) + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30;
}

/** Reads a list of plain texts, such as ids, faster than the driver, which goes from letter to letter. */
function readPlainList(text: string): string[] | null {
  if (!PLAIN_LIST.test(text) || text.includes('NULL')) return null;
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
