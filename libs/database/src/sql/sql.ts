import { createRequire } from 'node:module';
import type * as Prisma from '@prisma/client-runtime-utils';

// Of Prisma's small part, so that nothing loads the rest. By `require`, as Prisma's own client does: a piece of one copy
// of the package is no piece of SQL to the other.
const load = createRequire(import.meta.url);
const { empty, join, raw, sql, Sql: Piece } = load('@prisma/client-runtime-utils') as typeof Prisma;

/** A piece of SQL with its parameters, to be put into others. */
export type Sql = Prisma.Sql;

export { empty as emptySql, join as joinSql, raw as rawSql, sql };

/** A whole query: its text as it is named, as Postgres takes it, and its parameters. */
interface Query {
  sql: string;
  text: string;
  values: readonly unknown[];
}

/** Texts of templates into which no other piece was put: those are the same whatever the parameters. */
const texts = new WeakMap<TemplateStringsArray, Pick<Query, 'sql' | 'text'>>();

/** Makes a query of a template. */
export function queryOf(template: TemplateStringsArray, given: readonly unknown[]): Query {
  if (given.some((value) => value instanceof Piece)) return sql(template, ...given);
  let known = texts.get(template);
  if (!known) {
    const { sql: named, text } = sql(template, ...given);
    known = { sql: named, text };
    texts.set(template, known);
  }
  return { ...known, values: given };
}
