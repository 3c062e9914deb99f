import { expect, it } from '@jest/globals';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { MAX_OPEN_INTENTIONS, planNoticed, type StoredReason } from './plan-noticed.js';

const now = new Date('2026-01-15T12:00:00Z');
const dueAt = new Date('2026-01-16T08:00:00Z');
const request: NoticedReason = {
  kind: 'request',
  about: 'remind me to call mum',
  dueAt,
  asked: true,
  exact: true,
  byClock: true,
  yearly: false,
  leapDay: false,
};
const birthday: NoticedReason = {
  ...request,
  kind: 'date',
  about: 'my birthday is on 3 May',
  asked: false,
  exact: false,
  yearly: true,
  dueAt: new Date('2026-05-03T10:00:00Z'),
};
const turn = { turnId: 'this turn', companionId: 'mira', audience: 'direct' as const, endedAt: now };
const open: StoredReason = {
  turnId: 'an earlier turn',
  companionId: 'mira',
  audience: 'direct',
  ...request,
  id: 'open',
  status: 'open',
  saidAt: new Date('2026-01-15T11:00:00Z'),
};
const plan = (noticed: NoticedReason[], known = [open]) =>
  planNoticed(noticed, turn, { stored: known, sent: [] }, { now, timeZone: 'utc', newId: () => 'new' });

it('creates what is new, and notes a repeated request', () => {
  expect(plan([request, { ...request, about: 'remind me to eat' }])).toEqual({
    created: [{ id: 'new', correctedBy: null, ...request, about: 'remind me to eat' }],
    corrected: [],
    repeated: ['open'],
  });
});

it('corrects another day of the same birthday', () => {
  const wrong = { ...open, ...birthday, dueAt: new Date('2026-05-04T10:00:00Z') };
  for (const about of [wrong.about, 'It is my birthday on 4 May'])
    expect(plan([birthday], [{ ...wrong, about }]).corrected).toEqual([{ id: 'open', by: 'new' }]);
});

it("corrects a birthday onto another's day", () => {
  const wrong = { ...open, ...birthday, dueAt: new Date('2026-05-04T10:00:00Z') };
  const anniversary = { ...open, ...birthday, id: 'other', about: 'our anniversary is on 3 May' };
  expect(plan([birthday], [wrong, anniversary])).toMatchObject({
    created: [{ id: 'new' }],
    corrected: [{ id: 'open', by: 'new' }],
  });
});

it('creates a birthday as dropped that a later turn corrects', () => {
  const right = { ...open, ...birthday, dueAt: new Date('2026-05-04T10:00:00Z') };
  const later = { ...right, saidAt: new Date('2026-01-15T13:00:00Z') };
  expect(plan([birthday], [later])).toMatchObject({ created: [{ correctedBy: 'open' }], corrected: [] });
});

it('leaves what the turn gave before dropped, also a day that was put off to the next year', () => {
  const dropped = { ...open, turnId: turn.turnId, status: 'dropped' as const };
  expect(plan([request], [dropped])).toEqual({ created: [], corrected: [], repeated: [] });
  const day = { ...dropped, ...birthday, dueAt: new Date('2027-05-03T10:00:00Z') };
  expect(plan([birthday], [day]).created).toEqual([]);
});

it('creates nothing beyond the room that is left', () => {
  const full = Array.from({ length: MAX_OPEN_INTENTIONS }, (_, n) => ({
    ...open,
    id: String(n),
    about: String(n),
  }));
  expect(plan([birthday], full)).toEqual({ created: [], corrected: [], repeated: [] });
});
