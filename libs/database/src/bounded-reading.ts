import { boundTime } from '@kith/contracts';
import pg from 'pg';

type GetTypeParser = typeof pg.types.getTypeParser;
type TypeId = Parameters<GetTypeParser>[0];

const { TIMESTAMPTZ, DATE } = pg.types.builtins;
/** PostgreSQL writes every other time with a sign, more digits, an era or as a word. */
const BOUNDED = /^(?:19|2[01])\d\d-[^B]*$/;

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
      if (oid === TIMESTAMPTZ) return (text: string) => parse(boundTimestamp(text));
      if (oid === DATE) return (text: string) => parse(boundTimestamp(text).slice(0, 10));
      return parse;
    }) as GetTypeParser,
  };
}

/** A time as PostgreSQL writes it, within the bounds and in its manner. Pure. */
export function boundTimestamp(text: string): string {
  if (BOUNDED.test(text)) return text;
  const isEarly = text.startsWith('-') || text.endsWith('BC') || /^[01]\d{3}-/.test(text);
  return boundTime(new Date(isEarly ? -8.64e15 : 8.64e15))
    .toISOString()
    .replace('T', ' ')
    .replace('Z', '+00');
}
