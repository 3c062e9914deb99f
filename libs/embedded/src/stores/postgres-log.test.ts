import { describe, expect, it } from '@jest/globals';
import { fatalLineOf } from './postgres-log.js';

const line = (kind: string, words: string) => `2026-11-28 12:00:00.000 UTC [7] <${kind}> ${words}`;

describe('why PostgreSQL ended', () => {
  it('is its last PANIC or FATAL, and no statement', () => {
    const log = [
      line('client backend', 'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device'),
      line('client backend', "STATEMENT:  INSERT INTO lines VALUES ('a secret')"),
      line(
        'client backend',
        'DETAIL:  Failing row contains (<x> PANIC: a secret, ready to accept connections).',
      ),
      line('postmaster', 'LOG:  shutting down because "restart_after_crash" is off'),
    ].join('\n');
    expect(fatalLineOf(log, '')).toBe(
      'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device',
    );
    expect(fatalLineOf(`${log}\n${line('startup', 'FATAL:  could not open the log')}\n`, '')).toBe(
      'FATAL:  could not open the log',
    );
  });

  it('is no connection that was refused or ended', () => {
    const words = 'FATAL:  password authentication failed for user "kith_app"';
    expect(fatalLineOf(line('client backend', words), '')).toBe('');
    expect(fatalLineOf(line('client backend', words), 'PANIC:  before')).toBe('PANIC:  before');
  });

  it('is nothing that it got over', () => {
    const ready = line('postmaster', 'LOG:  database system is ready to accept connections');
    expect(fatalLineOf(ready, 'PANIC:  before')).toBe('');
  });
});
