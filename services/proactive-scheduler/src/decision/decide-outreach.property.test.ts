import { describe, expect, it } from '@jest/globals';
import type { Audience } from '@kith/contracts';
import fc from 'fast-check';
import type { OutreachPlace } from './choose-place.js';
import {
  decideOutreach,
  type EarlierAttempt,
  type OpenIntention,
  type OutreachSituation,
} from './decide-outreach.js';
import { earliestTime } from './quiet-hours.js';

/** Zones with every sort of clock: whole, half and quarter hours, changes of an hour and of half of one. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'America/Sao_Paulo',
  '+05:30',
] as const;

/** The days around the changes of 2026 as often as all the others together. */
const someMoment = fc.oneof(
  fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2026-12-31T00:00:00Z'),
    noInvalidDate: true,
  }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'),
      fc.integer({ min: -24 * 60, max: 48 * 60 }),
    )
    .map(([day, minutes]) => new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000)),
);
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const hoursBefore = (most: number) => fc.integer({ min: 0, max: most * 60 });
const mostly = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const audience = fc.constantFrom<Audience | null>('direct', 'channel:discord:42', 'channel:discord:7', null);
const kind = fc.constantFrom('promise', 'request', 'date', 'follow-up', 'interest', 'need');

const situation: fc.Arbitrary<OutreachSituation> = fc
  .record({
    now: someMoment,
    zone: fc.constantFrom(...ZONES),
    quietFrom: clock,
    quietUntil: clock,
    dailyCap: fc.integer({ min: 0, max: 5 }),
    weeklyCap: fc.integer({ min: 0, max: 12 }),
    optedIn: mostly(true, false),
    direct: fc.boolean(),
    channel: fc.constantFrom(null, { id: '42', problem: null }, { id: '42', problem: 'gone' }),
    isChannelOff: mostly(false, true),
    unreachable: mostly(null, 'closed'),
    ageState: mostly<'unknown' | 'minor'>('unknown', 'minor'),
    unanswered: mostly(0, 2),
    isBusy: mostly(false, true),
    due: fc.array(fc.record({ kind, audience, ago: hoursBefore(80), exact: fc.boolean() }), { maxLength: 5 }),
    sent: fc.array(
      fc.record({
        kind,
        ago: hoursBefore(200),
        answered: fc.boolean(),
        status: fc.constantFrom('sent', 'failed'),
      }),
      { maxLength: 6 },
    ),
  })
  .map(
    ({
      now,
      zone,
      due,
      sent,
      quietFrom,
      quietUntil,
      dailyCap,
      weeklyCap,
      optedIn,
      direct,
      channel,
      ...rest
    }) => ({
      personId: 'ada',
      now,
      settings: {
        optedIn,
        direct,
        channel,
        timeZone: zone,
        topicsOff: [],
        quietFrom,
        quietUntil,
        dailyCap,
        weeklyCap,
      },
      restriction: { ageState: rest.ageState, restUntil: null },
      intentions: due.map((one, n): OpenIntention => {
        const dueAt = new Date(now.getTime() - one.ago * 60_000);
        return {
          id: String(n),
          companionId: 'mira',
          about: 'x',
          kind: one.kind,
          exact: one.exact,
          audience: one.audience,
          dueAt,
          createdAt: dueAt,
          notBefore: null,
          asked: one.kind === 'request',
        };
      }),
      attempts: sent.map((one): EarlierAttempt => {
        const decidedAt = new Date(now.getTime() - one.ago * 60_000);
        return { kind: one.kind, status: one.status, decidedAt, answeredAt: one.answered ? decidedAt : null };
      }),
      unanswered: rest.unanswered,
      lastSpokeAt: null,
      unreachable: rest.unreachable,
      isChannelOff: rest.isChannelOff,
      isBusy: rest.isBusy,
    }),
  );

// By Intl, and not by the library that decides: what checks it is not it.
function local(at: Date, timeZone: string): { day: string; clock: string } {
  const options = { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' } as const;
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', options).format(at).split(' ');
  return { day, clock: time };
}

/** Every decision to write, among many situations; each of `rules` must hold for it. */
function forEachMessage(
  rule: (situation: OutreachSituation, intention: OpenIntention, place: OutreachPlace) => void,
): number {
  let messages = 0;
  fc.assert(
    fc.property(situation, (given) => {
      const decision = decideOutreach(given);
      if (decision.kind === 'wait') return;
      messages += 1;
      rule(given, decision.intention, decision.place);
    }),
    { numRuns: 2_000, seed: 1 },
  );
  return messages;
}

describe('a decision to write, in any zone and across every change of the clock', () => {
  it('says in a channel what was told there or by nobody, and is nowhere that is not allowed', () => {
    const places = new Set<string | null>();
    forEachMessage(({ settings, isChannelOff, unreachable }, { audience: told }, place) => {
      places.add(place.channelId);
      if (place.channelId === null) return expect([settings.direct, unreachable]).toEqual([true, null]);
      expect(['channel:discord:42', null]).toContain(told);
      expect([settings.channel?.id, settings.channel?.problem, isChannelOff]).toEqual(['42', null, false]);
    });
    expect(places.size).toBe(2);
  });

  it('never falls into quiet hours', () => {
    const messages = forEachMessage(({ now, settings: { timeZone, quietFrom, quietUntil } }) => {
      const at = local(now, timeZone).clock;
      const isQuiet =
        quietFrom <= quietUntil ? at >= quietFrom && at < quietUntil : at >= quietFrom || at < quietUntil;
      expect(isQuiet).toBe(false);
    });
    expect(messages).toBeGreaterThan(100);
  });

  it('never goes over a cap', () => {
    forEachMessage(({ now, settings: { timeZone, dailyCap, weeklyCap }, attempts }) => {
      const sent = attempts.filter(({ status }) => status === 'sent').map(({ decidedAt }) => decidedAt);
      const today = local(now, timeZone).day;
      const inLastDays = (count: number) =>
        sent.filter((at) => {
          const days = (Date.parse(today) - Date.parse(local(at, timeZone).day)) / 86_400_000;
          return days < count;
        }).length;
      expect(inLastDays(1)).toBeLessThan(dailyCap);
      expect(inLastDays(7)).toBeLessThan(weeklyCap);
    });
  });

  it('is never taken without consent, to a minor, after two unanswered, or over a conversation', () => {
    forEachMessage(({ settings, restriction, unanswered, isBusy }) => {
      expect(settings.optedIn).toBe(true);
      expect(restriction.ageState).not.toBe('minor');
      expect(unanswered).toBeLessThan(2);
      expect(isBusy).toBe(false);
    });
  });

  it('never comes before its reason is due, more than three days after, or after a day that matters', () => {
    forEachMessage(({ now, settings: { timeZone } }, { kind: why, dueAt }) => {
      if (why === 'date') expect(local(dueAt, timeZone).day).toBe(local(now, timeZone).day);
      expect(dueAt.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(now.getTime() - dueAt.getTime()).toBeLessThanOrEqual(3 * 86_400_000);
    });
  });

  it('is the same for the same situation, and says of a wait only what lies ahead', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const decision = decideOutreach(given);
        expect(decideOutreach(given)).toEqual(decision);
        if (decision.kind === 'wait' && decision.until) {
          expect(decision.until.getTime()).toBeGreaterThan(given.now.getTime());
        }
      }),
    );
  });
});

describe('the hour of a reason that names none', () => {
  const settings = { timeZone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '08:00' };
  const on = (day: number, personId: string, exact = false) => {
    const dueAt = new Date(Date.UTC(2026, 0, day, 9));
    return (
      (earliestTime({ dueAt, exact }, { personId, settings, now: dueAt }).getTime() - dueAt.getTime()) /
      60_000
    );
  };

  it('wanders from day to day and from person to person, within three quarters of an hour', () => {
    const later = Array.from({ length: 28 }, (_, n) => on(n + 1, 'ada'));
    expect(new Set(later).size).toBeGreaterThan(14);
    expect(Math.min(...later)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...later)).toBeLessThan(45);
    expect(Array.from({ length: 28 }, (_, n) => on(n + 1, 'ben'))).not.toEqual(later);
    expect(Array.from({ length: 28 }, (_, n) => on(n + 1, 'ada'))).toEqual(later);
  });

  it('is kept to where it was named', () => {
    expect(
      Array.from({ length: 28 }, (_, n) => on(n + 1, 'ada', true)).every((minutes) => minutes === 0),
    ).toBe(true);
  });
});
