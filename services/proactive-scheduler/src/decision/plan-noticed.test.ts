import { expect, it } from '@jest/globals';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { MAX_OPEN_INTENTIONS, planNoticed } from './plan-noticed.js';

const now = new Date('2026-01-15T12:00:00Z');
const dueAt = new Date('2026-01-16T08:00:00Z');
const request: NoticedReason = {
  ...{ kind: 'request', about: 'remind me to call mum', dueAt, asked: true },
  ...{ exact: true, byClock: true, yearly: false, leapDay: false },
};
const birthday: NoticedReason = {
  ...request,
  ...{ kind: 'date', about: 'my birthday is on 3 May', asked: false, exact: false, yearly: true },
  dueAt: new Date('2026-05-03T10:00:00Z'),
};
const turn = { turnId: 'this turn', companionId: 'mira', audience: 'direct' as const };
const open = { ...turn, turnId: 'an earlier turn', ...request, id: 'open' };
const plan = (noticed: NoticedReason[], known = [open]) =>
  planNoticed(noticed, turn, { open: known, sent: [] }, { now, timeZone: 'utc', newId: () => 'new' });

it('creates what is new, and notes a repeated request', () => {
  expect(plan([request, { ...request, about: 'remind me to eat' }])).toEqual({
    created: [{ id: 'new', ...request, about: 'remind me to eat' }],
    ...{ corrected: [], repeated: ['open'] },
  });
});

it('corrects another day of the same birthday', () => {
  const wrong = { ...open, ...birthday, dueAt: new Date('2026-05-04T10:00:00Z') };
  expect(plan([birthday], [wrong]).corrected).toEqual([{ id: 'open', by: 'new' }]);
});

it('creates nothing beyond the room that is left', () => {
  const full = Array.from({ length: MAX_OPEN_INTENTIONS }, (_, n) => ({
    ...open,
    id: String(n),
    about: String(n),
  }));
  expect(plan([birthday], full)).toEqual({ created: [], corrected: [], repeated: [] });
});
