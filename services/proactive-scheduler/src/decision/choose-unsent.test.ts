import { describe, expect, it } from '@jest/globals';
import type { ReasonKind } from '@kith/contracts';
import { chooseUnsent } from './plan-noticed.js';

const NOW = new Date('2026-01-14T12:00:00Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
const given = (kind: ReasonKind, dueAt: Date, yearly = false) => ({ kind, dueAt, yearly, leapDay: false });
const here = { now: NOW, timeZone: 'UTC' };

describe('reasons of a turn that is read again', () => {
  it('are those that were not written for, one message for one of them', () => {
    const [first, second, later] = [-3, -2, 24].map((at) => given('request', hours(at)));
    const sent = [{ kind: 'promise' as const, decidedAt: hours(-1) }];
    expect(chooseUnsent([second!, later!, first!], sent, here)).toEqual([second, later]);
  });

  it('are also those of another kind, and those that were put off since', () => {
    const sent = [{ kind: 'follow-up' as const, decidedAt: hours(-1) }];
    const reasons = [given('request', hours(-2)), given('follow-up', hours(20))];
    expect(chooseUnsent(reasons, sent, here)).toEqual(reasons);
  });

  it('come again next year, where they do so every year and this year’s is over or was written for', () => {
    const birthday = given('date', hours(-1), true);
    expect(chooseUnsent([birthday], [], here)).toEqual([birthday]);
    const sent = [{ kind: 'date' as const, decidedAt: hours(0) }];
    const next = { ...birthday, dueAt: new Date('2027-01-14T11:00:00Z') };
    expect(chooseUnsent([birthday], sent, here)).toEqual([next]);
    expect(chooseUnsent([birthday], [], { ...here, now: hours(24) })).toEqual([next]);
    const told = { ...birthday, dueAt: new Date('2025-01-14T11:00:00Z') };
    expect(chooseUnsent([told], [], here)).toEqual([birthday]);
    expect(chooseUnsent([told], sent, here)).toEqual([next]);
  });
});
