import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/client.js';

/** More plans than the suite has queries; one that has a value in it, as a path in JSON, makes a plan for each. */
const MAX_PLANS = 250;

type NameStatement = (query: { sql: string; args: unknown[] }) => string;

/**
 * Prisma over these connections. In a file of its own, since the client and its compiler of queries take some 50 MB.
 */
export function openPrisma(pool: pg.Pool, statementNameGenerator: NameStatement): PrismaClient {
  const adapter = new PrismaPg(pool, { statementNameGenerator });
  return new PrismaClient({ adapter, queryPlanCacheMaxSize: MAX_PLANS });
}
