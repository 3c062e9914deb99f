export { Database, type DatabaseSettings, type Reader, type Tx } from './database.js';
export { Prisma } from './generated/client.js';
export type * from './generated/models.js';
export { TurnLedger } from './turn-ledger.js';
