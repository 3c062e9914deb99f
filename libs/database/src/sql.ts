import { createRequire } from 'node:module';
import type * as Prisma from '@prisma/client-runtime-utils';

// Of Prisma's small part, so that nothing loads the rest. By `require`, as Prisma's own client does: a piece of one copy
// of the package is no piece of SQL to the other.
const load = createRequire(import.meta.url);
const { empty, join, raw, sql } = load('@prisma/client-runtime-utils') as typeof Prisma;

/** A piece of SQL with its parameters, to be put into others. */
export type Sql = Prisma.Sql;

export { empty as emptySql, join as joinSql, raw as rawSql, sql };
