import { describe, expect, it } from '@jest/globals';
import { planMigrations, type MigrationAttempt } from './plan-migrations.js';
import { checksumOf } from './read-migrations.js';

const file = (name: string, sql = `-- ${name}\nSELECT 1;\n`) => ({ name, sql, inTransaction: true });
const attempt = (name: string, changes: Partial<MigrationAttempt> = {}): MigrationAttempt => ({
  name,
  checksum: checksumOf(file(name).sql),
  startedAt: new Date('2026-11-22T10:00:00Z'),
  finishedAt: new Date('2026-11-22T10:00:01Z'),
  rolledBackAt: null,
  logs: null,
  ...changes,
});
const FILES = [file('1_people'), file('2_turns'), file('3_facts')];

const BY_PRISMA = `A migration failed to apply. New migrations cannot be applied before the error is recovered from.

Migration name: 1_people

Database error code: 42704

Database error:
ERROR: type "shoe" does not exist
`;

describe('what is still to be applied', () => {
  it('is everything, in order, for a new database', () => {
    expect(planMigrations(FILES, [])).toEqual(FILES);
  });

  it('is what the database lacks, also one that is older than the last applied', () => {
    const pending = planMigrations(FILES, [attempt('1_people'), attempt('3_facts')]);
    expect(pending.map(({ name }) => name)).toEqual(['2_turns']);
  });

  it('has an attempt that was rolled back, and not one that succeeded after it', () => {
    const undone = attempt('1_people', { finishedAt: null, rolledBackAt: new Date(), checksum: 'another' });
    expect(planMigrations(FILES, [undone])).toEqual(FILES);
    expect(planMigrations(FILES, [undone, attempt('1_people')])).toEqual(FILES.slice(1));
  });

  it('leaves out a file that differs by its line ends alone', () => {
    const windows = FILES.map((one) => file(one.name, one.sql.replaceAll('\n', '\r\n')));
    const applied = FILES.map(({ name }) => attempt(name));
    expect(planMigrations(windows, applied)).toEqual([]);
    const appliedThere = windows.map(({ name, sql }) => attempt(name, { checksum: checksumOf(sql) }));
    expect(planMigrations(FILES, appliedThere)).toEqual([]);
  });
});

describe('a database and files that disagree', () => {
  it.each([
    ['changed', [attempt('1_people', { checksum: checksumOf('other') })], /1_people was changed .*released/],
    ['newer', [attempt('4_later'), attempt('5_last')], /newer version: .*4_later and 1 more.* Install/],
    [
      'failed',
      [attempt('1_people', { finishedAt: null, logs: 'no such type\n at line 3' })],
      /1_people .*\(no such type\).* resolve 1_people" with --rolled-back or --applied/,
    ],
    [
      'failed under Prisma',
      [attempt('1_people', { finishedAt: null, logs: BY_PRISMA })],
      /\(ERROR: type "shoe" does not exist\)/,
    ],
    ['cut off', [attempt('1_people', { finishedAt: null })], /it was cut off/],
  ])('is told in one line that says what to do: %s', (_, attempts, line) => {
    expect(() => planMigrations(FILES, attempts)).toThrow(line);
    expect(() => planMigrations(FILES, attempts)).toThrow(/^[^\n]+$/);
  });
});
