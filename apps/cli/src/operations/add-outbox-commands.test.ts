import { describe, expect, it } from '@jest/globals';
import { describeInFull } from './add-outbox-commands.js';

const delivery = {
  outboxId: '01990000-0000-7000-8000-000000000001',
  turnId: '01990000-0000-7000-8000-000000000002',
  personId: '01990000-0000-7000-8000-000000000003',
  door: 'discord',
  status: 'failed',
  attempts: 3,
  lastError: 'Discord 403/50013: Missing Permissions',
  platformIds: ['901', '902'],
  createdAt: '2026-03-01T10:00:00.000Z',
  firstTriedAt: '2026-03-01T10:00:01.000Z',
  settledAt: '2026-03-01T10:05:00.000Z',
};

describe('a delivery in full', () => {
  it('tells its tries, the reason, what arrived, and when', () => {
    expect(describeInFull(delivery)).toEqual([
      'delivery 01990000-0000-7000-8000-000000000001 to discord: failed',
      'tries    3',
      'reason   Discord 403/50013: Missing Permissions',
      'chunks   2, as 901, 902',
      'queued   2026-03-01T10:00:00.000Z',
      'tried    first 2026-03-01T10:00:01.000Z',
      'ended    2026-03-01T10:05:00.000Z',
      'person   01990000-0000-7000-8000-000000000003',
      'turn     01990000-0000-7000-8000-000000000002',
    ]);
  });

  it('says what has not happened yet', () => {
    const waiting = { ...delivery, status: 'pending', lastError: null, platformIds: [] };
    const page = describeInFull({ ...waiting, firstTriedAt: null, settledAt: null }).join('\n');
    expect(page).toContain('chunks   none is known to have arrived');
    expect(page).toContain('tried    not yet');
    expect(page).toContain('ended    not yet');
  });
});
