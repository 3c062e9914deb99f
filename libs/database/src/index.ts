export { Database, type DatabaseSettings, type Tx } from './database.js';
export { deployMigrations, ensureAppRole } from './migrations.js';
export { Prisma } from './generated/client.js';
export type * from './generated/models.js';
