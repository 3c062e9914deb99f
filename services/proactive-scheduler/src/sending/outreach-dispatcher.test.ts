import { describe, expect, it } from '@jest/globals';
import { erasedError } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { AttemptRecords } from '../store/attempt-records.js';
import type { IntentionRecords } from '../store/intention-records.js';
import type { OutreachRecords } from '../store/outreach-records.js';
import { OutreachDispatcher } from './outreach-dispatcher.js';

/** Scans for two people, of whom the decision on the first, or the asking again, fails. */
function scanWhere(failure: { decideFor?: Error; reachOut?: Error }) {
  const decided: string[] = [];
  const records = {
    peopleWithDueReason: () => Promise.resolve(['ada', 'ben']),
    decideFor: (personId: string) => {
      if (personId === 'ada' && failure.decideFor) return Promise.reject(failure.decideFor);
      decided.push(personId);
      return Promise.resolve({ decision: { kind: 'wait', until: null, why: 'nothing due' }, attempt: null });
    },
  } as unknown as OutreachRecords;
  const attempts = { stale: () => Promise.resolve(failure.reachOut ? [{ personId: 'ada' }] : []) };
  const messenger = {
    ask: () => Promise.resolve({ busy: failure.reachOut !== undefined, answeredAt: null }),
    enqueue: () => Promise.reject(failure.reachOut ?? new Error('not asked for')),
  };
  const dispatcher = new OutreachDispatcher(
    records,
    { dropOverdue: () => Promise.resolve(0) } as unknown as IntentionRecords,
    attempts as unknown as AttemptRecords,
    messenger as unknown as Messenger,
    { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  );
  return { decided, scanned: dispatcher.scan(new Date()) };
}

describe('a scan', () => {
  it('goes on with the others where somebody is erased meanwhile', async () => {
    const { decided, scanned } = scanWhere({ decideFor: erasedError(new Error('refused')) });
    await expect(scanned).rejects.toMatchObject({ message: 'this person was erased' });
    expect(decided).toEqual(['ben']);
  });

  it('goes on with the others where it fails for one person, and fails then', async () => {
    const { decided, scanned } = scanWhere({ decideFor: new Error('a row is locked') });
    await expect(scanned).rejects.toThrow('a row is locked');
    expect(decided).toEqual(['ben']);
  });

  it('decides also where an earlier outreach is not asked for again', async () => {
    const { decided, scanned } = scanWhere({ reachOut: new Error('refused') });
    await expect(scanned).rejects.toThrow('refused');
    expect(decided).toEqual(['ada', 'ben']);
  });
});
