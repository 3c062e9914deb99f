import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.js';

type NameStatement = (query: { sql: string; args: unknown[] }) => string;

/**
 * Prisma over these connections. In a file of its own, since the client and its compiler of queries take some 50 MB.
 */
export function openPrisma(pool: pg.Pool, statementNameGenerator: NameStatement): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) });
}
