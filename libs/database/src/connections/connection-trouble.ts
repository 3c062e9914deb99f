import { isNativeError } from 'node:util/types';
import { AppError, erasedError, lockedError } from '@kith/contracts';

/** Prisma: not reached, timed out, closed, no free connection, no transaction in time, conflict, too many clients. */
const PRISMA_TROUBLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
/**
 * Postgres, by the class or the whole of its code: connections, resources (disk, memory, connections), going down
 * or coming up, system errors, serialisation and deadlock, a statement, a transaction, an idle connection or a lock that
 * timed out, and a standby that is not the primary yet.
 */
const POSTGRES_TROUBLE = /^(08...|53...|57014|57P0[1-5]|58...|40001|40P01|25P0[34]|55P03|25006)$/;
/** Postgres does not know the role, its password or its database until an operator fixes that. */
const REFUSAL = /^(28...|3D000)$/;
/** A right that the role lacks until an operator grants it. A row that a policy refuses has the same code, and stays so. */
const LACKED_RIGHT = { code: '42501', message: /permission denied/ };
const SYSTEM_TROUBLE =
  // `ENOENT` is the socket of a server that does not run.
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
/** The driver and its pool have no codes for these. */
const DRIVER_TROUBLE =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Connection ended|fell silent/i;

/** Words of the pool, or of Prisma before it, where each connection has other work. */
const ALL_TAKEN = /timeout exceeded when trying to connect|Unable to start a transaction in the given time/i;

/** Tells whether a value is an error, of this realm or another. */
function isError(error: unknown): error is Error {
  // Its successor, Error.isError, is missing in Node 20 and 22.
  // oxlint-disable-next-line typescript/no-deprecated
  return isNativeError(error);
}

/** Tells whether this failed because of the connection or the server, so that the same may work later. */
export function isConnectionTrouble(error: unknown): boolean {
  if (!isError(error) || error instanceof AppError) return false;
  const driver = driverCauseOf(error as PrismaError);
  if (driver?.kind && DRIVER_KINDS.has(driver.kind)) return true;
  if (DRIVER_TROUBLE.test(error.message)) return true;
  if (isRefusal(error as PrismaError)) return true;
  return codesOf(error as PrismaError).some(
    (one) =>
      typeof one === 'string' &&
      (PRISMA_TROUBLE.has(one) || POSTGRES_TROUBLE.test(one) || SYSTEM_TROUBLE.test(one)),
  );
}

/** Tells whether Postgres is up but refuses this role everything, or something that it needs. */
function isRefusal(error: PrismaError): boolean {
  const codes = codesOf(error);
  if (codes.some((one) => typeof one === 'string' && REFUSAL.test(one))) return true;
  const message = driverCauseOf(error)?.originalMessage ?? error.message;
  return codes.includes(LACKED_RIGHT.code) && LACKED_RIGHT.message.test(message);
}

/** Prisma wraps what the driver says, except where the commit itself fails. */
function driverCauseOf({ meta, cause }: PrismaError): DriverCause | undefined {
  return meta?.driverAdapterError?.cause ?? cause;
}

function codesOf(error: PrismaError): unknown[] {
  return [error.code, driverCauseOf(error)?.originalCode];
}

interface PrismaError extends Error {
  code?: unknown;
  meta?: { driverAdapterError?: { cause?: DriverCause } };
  cause?: DriverCause;
}

interface DriverCause {
  kind?: string;
  originalCode?: string;
  originalMessage?: string;
}

const DRIVER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

/** Tells whether a write failed because a row of the same key exists. */
export function isDuplicate(error: unknown): boolean {
  return isError(error) && codesOf(error as PrismaError).some((code) => code === 'P2002' || code === '23505');
}

/** The trigger `refuse_erased`'s own code. */
const ERASED = 'KE001';

/**
 * A lock not granted within `lock_timeout`, or a statement that took longer than a server's own `statement_timeout` lets
 * it, which may have waited for a lock as well.
 */
const LOCKED: ReadonlySet<unknown> = new Set(['55P03', '57014']);

/**
 * Turns an error into what callers see: trouble with the connection as `unavailable`, a lock or an end that did not come in
 * time as `lockedError`, a write for somebody who was erased as `erasedError`, anything else as it is.
 */
export function toCallersError(error: unknown): unknown {
  if (isError(error) && codesOf(error as PrismaError).includes(ERASED)) return erasedError(error);
  if (isError(error) && codesOf(error as PrismaError).some((code) => LOCKED.has(code)))
    return lockedError(error);
  if (!isConnectionTrouble(error)) return error;
  return new AppError('unavailable', describeTrouble(error as PrismaError), undefined, { cause: error });
}

function describeTrouble(error: PrismaError): string {
  if (isRefusal(error))
    return 'Postgres refuses the role, its password or its rights, or has no such database';
  if (ALL_TAKEN.test(error.message)) return 'no connection to Postgres became free in time';
  return 'Postgres is out of reach';
}
