import { describe, expect, it } from '@jest/globals';
import { isKnown, type OpenReason } from './plan-noticed.js';

const BERLIN = 'Europe/Berlin';
const at = (time: string) => new Date(`2026-01-${time}:00+01:00`);
const NINE = at('16T09:00');
const request: OpenReason = {
  turnId: 'the turn before',
  companionId: 'mira',
  audience: 'direct',
  kind: 'request',
  about: 'remind me tomorrow at 9 to call mum',
  dueAt: NINE,
};
const again = { ...request, turnId: 'this turn', exact: true, asked: true };
const promise = { ...again, kind: 'promise' as const, asked: false, about: "I'll remind you tomorrow at 9." };
const followUp = { ...again, kind: 'follow-up' as const, asked: false, about: 'my exam is tomorrow at 6' };

describe('a reason that is open already', () => {
  it.each([
    ['the same request', again],
    ['the same request, which is promised this time', { ...again, kind: 'promise' as const }],
    ['a request in other letters', { ...again, about: 'Remind me tomorrow at 9 to call mum' }],
    ['a promise to do it', promise],
    ['a promise to do it on that day', { ...promise, exact: false, dueAt: at('16T10:00') }],
    ['a promise counted from a moment later', { ...promise, dueAt: new Date(NINE.getTime() + 40_000) }],
    ['an event that they are to be asked about then', { ...followUp, exact: false }],
  ])('is not kept again: %s', (_, reason) => {
    expect(isKnown(reason, [request], BERLIN)).toBe(true);
    expect(isKnown(reason, [{ ...request, kind: 'promise' }], BERLIN)).toBe(true);
  });

  it.each([
    ['a request for something else at that time', { ...again, about: 'remind me tomorrow at 9 to eat' }],
    ['one that is promised', { ...again, kind: 'promise' as const, about: 'remind me tomorrow to eat' }],
    ['a request for it at another time', { ...again, dueAt: at('17T09:00') }],
    ['a promise for another hour', { ...promise, dueAt: at('16T20:00') }],
    ['a promise for another day', { ...promise, exact: false, dueAt: at('17T00:30') }],
    ['a promise of another companion', { ...promise, companionId: 'wren' }],
    ['a promise in another place', { ...promise, audience: 'channel:discord:42' as const }],
    ['a promise of the same turn', { ...promise, turnId: request.turnId }],
    ['an event of another hour', { ...followUp, dueAt: at('16T18:00') }],
    ['a day that matters', { ...followUp, kind: 'date' as const }],
  ])('is another one, and kept: %s', (_, reason) => {
    expect(isKnown(reason, [request], BERLIN)).toBe(false);
  });

  it('is a day of another year, as where they speak of it on that day', () => {
    const birthday = { ...followUp, kind: 'date' as const };
    const next = { ...birthday, dueAt: new Date('2027-01-16T10:00:00+01:00') };
    expect(isKnown(next, [birthday], BERLIN)).toBe(true);
  });

  it("is not another's birthday on that day, nor a birthday on another day that matters", () => {
    const date = (about: string) => ({ ...followUp, kind: 'date' as const, about });
    const own = date('My birthday is on 16 January');
    expect(isKnown(date("no, my birthday's on 16 January"), [own], BERLIN)).toBe(true);
    expect(isKnown(date('Today is my birthday!'), [own], BERLIN)).toBe(true);
    expect(isKnown(date("my mum's birthday is on 16 January"), [own], BERLIN)).toBe(false);
    expect(isKnown(own, [date('our anniversary is on 16 January')], BERLIN)).toBe(false);
  });

  it('is an event or a day that was told of before', () => {
    for (const kind of ['follow-up', 'date'] as const) {
      const told = { ...followUp, kind };
      expect(isKnown(told, [told], BERLIN)).toBe(true);
      expect(isKnown(told, [{ ...told, dueAt: at('17T09:00') }], BERLIN)).toBe(false);
    }
  });
});
