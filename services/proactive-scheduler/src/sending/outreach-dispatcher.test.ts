import { describe, expect, it } from '@jest/globals';
import { erasedError } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { AttemptRecords } from '../store/attempt-records.js';
import type { IntentionRecords } from '../store/intention-records.js';
import type { OutreachRecords } from '../store/outreach-records.js';
import { OutreachDispatcher } from './outreach-dispatcher.js';

describe('a scan', () => {
  it('goes on with the others where somebody is erased meanwhile', async () => {
    const decided: string[] = [];
    const records = {
      peopleWithDueReason: () => Promise.resolve(['erased', 'ben']),
      decideFor: (personId: string) => {
        if (personId === 'erased') return Promise.reject(erasedError(new Error('refused')));
        decided.push(personId);
        return Promise.resolve({
          decision: { kind: 'wait', until: null, why: 'nothing due' },
          attempt: null,
        });
      },
    } as unknown as OutreachRecords;
    const dispatcher = new OutreachDispatcher(
      records,
      { dropOverdue: () => Promise.resolve(0) } as unknown as IntentionRecords,
      { stale: () => Promise.resolve([]) } as unknown as AttemptRecords,
      { ask: () => Promise.resolve({ busy: false }) } as unknown as Messenger,
      { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    );
    await dispatcher.scan(new Date());
    expect(decided).toEqual(['ben']);
  });
});
