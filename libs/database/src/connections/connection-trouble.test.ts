import { describe, expect, it } from '@jest/globals';
import { AppError, isLocked } from '@kith/contracts';
import { isConnectionTrouble, toCallersError } from './connection-trouble.js';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });
const fromDriver = (cause: object) =>
  Object.assign(withCode('P2010'), { meta: { driverAdapterError: { cause } } });

describe('trouble with the connection', () => {
  it.each([
    ['Prisma cannot reach the server', withCode('P1001')],
    ['Prisma got no connection in time', withCode('P2028')],
    ['Postgres is going down', fromDriver({ originalCode: '57P01', kind: 'postgres' })],
    [
      'a statement took longer than its server allows',
      fromDriver({ originalCode: '57014', kind: 'postgres' }),
    ],
    ['a transaction took longer than its server allows', withCode('25P04')],
    ['a connection was idle for longer than its server allows', withCode('57P05')],
    ['the disk is full', fromDriver({ originalCode: '53100', kind: 'postgres' })],
    ['a deadlock', fromDriver({ originalCode: '40P01', kind: 'TransactionWriteConflict' })],
    ['a raw query met nobody', fromDriver({ kind: 'DatabaseNotReachable' })],
    ['a commit met a server going down', new Error('going down', { cause: { originalCode: '57P01' } })],
    ['the password is another', fromDriver({ originalCode: '28P01', kind: 'AuthenticationFailed' })],
    ['the database is away', fromDriver({ originalCode: '3D000', kind: 'DatabaseDoesNotExist' })],
    [
      'a right is lacking',
      fromDriver({ originalCode: '42501', originalMessage: 'permission denied for table people' }),
    ],
    ['the system refuses', withCode('ECONNREFUSED')],
    ['its socket is not there', withCode('ENOENT')],
    ['the driver lost it', new Error('Connection terminated unexpectedly')],
    [
      'it broke between two statements',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
  ])('is that %s, and is told as unavailable', (_, error) => {
    expect(isConnectionTrouble(error)).toBe(true);
    expect(toCallersError(error)).toMatchObject({ code: 'unavailable', cause: error });
  });

  it.each([
    ['the pool', new Error('timeout exceeded when trying to connect')],
    ['Prisma', withCode('P2028', 'Transaction API error: Unable to start a transaction in the given time.')],
  ])('is not told as a Postgres out of reach where %s has no connection left', (_, error) => {
    const message = 'no connection to Postgres became free in time';
    expect(toCallersError(error)).toMatchObject({ code: 'unavailable', message });
  });

  it('is told apart from a lock or a result not had in time', () => {
    const errors = [withCode('55P03'), withCode('57014'), withCode('57P01')].map(toCallersError);
    expect(errors[0]).toMatchObject({ code: 'unavailable' });
    expect(errors.map(isLocked)).toEqual([true, true, false]);
  });

  it.each([
    ['a duplicate', withCode('P2002')],
    ['a statement that is wrong', fromDriver({ originalCode: '42601', kind: 'postgres' })],
    [
      'a row that its policy refuses',
      fromDriver({
        originalCode: '42501',
        originalMessage: 'new row violates row-level security policy for table "people"',
      }),
    ],
    ['an error of our own', new AppError('conflict', 'Connection terminated')],
    ['a bug', new TypeError('x is undefined')],
  ])('is not %s, which is told as it is', (_, error) => {
    expect(toCallersError(error)).toBe(error);
  });
});
