export { isDuplicate } from './connection-trouble.js';
export { Database, type Tx } from './database.js';
export type { DatabaseSettings } from './connections.js';
// Types alone: its values would bring all of Prisma into every process.
export type { Prisma } from './generated/client.js';
export type * from './generated/models.js';
export { DueWork } from './due-work.js';
export { inBatches } from './in-batches.js';
export { isOverdue } from './is-overdue.js';
export { LeftPlaces } from './left-places.js';
export { pageOf } from './page-of.js';
export { People, readOfEach } from './people.js';
export { PersonRows } from './person-rows.js';
export { SealedRows, type RestoredRow, type SealOrder } from './sealed-rows.js';
export { emptySql, joinSql, rawSql, sql, type Sql } from './sql.js';
export { toJsonb } from './to-jsonb.js';
export { uuid7 } from './uuid7.js';
export type { EndingWriter, Reader, Scope, Writer } from './transaction.js';
export { TurnLedger } from './turn-ledger.js';
