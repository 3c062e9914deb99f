import { describe, expect, it } from '@jest/globals';
import {
  NOON,
  consents,
  dispatcher,
  intend,
  jobs,
  minutes,
  optIn,
  personId,
  reasonOf,
  records,
  sent,
  setUpOutreach,
  spoke,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('a day that matters', () => {
  it('opens a day that comes every year for the next one', async () => {
    await optIn();
    await intend(minutes(-60), 'my birthday is on 14 January', { kind: 'date', yearly: true });
    expect((await records.decideFor(personId, NOON, false)).decision.kind).toBe('reach-out');
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions).toMatchObject([
      { status: 'open', dueAt: new Date('2027-01-14T11:00:00Z') },
      { status: 'done', dueAt: minutes(-60) },
    ]);
  });

  it('thinks of a day that matters on that day or not at all, and again a year later', async () => {
    await optIn();
    await intend(minutes(-120));
    expect((await records.decideFor(personId, NOON, false)).decision.kind).toBe('reach-out');
    await sent(minutes(1));
    await spoke(minutes(30));
    const birthday = { kind: 'date' as const, yearly: true, exact: false };
    await intend(minutes(-60), 'my birthday is on 14 January', birthday);
    // Nobody ran the suite for years.
    await intend(new Date('2023-01-20T10:00:00Z'), 'our anniversary is on 20 January', birthday);
    await dispatcher.scan(minutes(60));
    const nextDay = new Date('2026-01-15T09:50:00Z');
    await dispatcher.scan(nextDay);
    expect(await jobs()).toBe(0);
    const { decision } = await records.decideFor(personId, nextDay, false);
    expect(decision).toMatchObject({ kind: 'wait', why: 'nothing due' });
    const { intentions } = await records.overview(personId, nextDay);
    expect(intentions.filter(({ kind }) => kind === 'date')).toMatchObject([
      { status: 'open', dueAt: new Date('2027-01-14T11:00:00Z') },
      { status: 'open', dueAt: new Date('2026-01-20T10:00:00Z') },
    ]);
  });

  it('thinks of a day before the quiet hours that last until it is over', async () => {
    await optIn();
    await consents.change(personId, { quietFrom: '13:00', quietUntil: '00:00' }, NOON);
    const birthday = { kind: 'date' as const, yearly: true, exact: false };
    await intend(minutes(120), 'my birthday is on 14 January', birthday);
    await dispatcher.scan(minutes(-1));
    expect(await jobs()).toBe(0);
    await dispatcher.scan(minutes(1));
    expect(await jobs()).toBe(1);
  });

  it('puts a 29 February on the 28th in a year without it, and back in one that has it', async () => {
    await optIn();
    const leapDay = { kind: 'date' as const, yearly: true, exact: false, leapDay: true };
    await intend(new Date('2026-02-28T10:00:00Z'), 'my birthday is on 29 February', leapDay);
    const dueAfter = async (now: Date) => {
      await dispatcher.scan(now);
      return (await records.overview(personId, now)).intentions.map(({ dueAt }) => dueAt);
    };
    expect(await dueAfter(new Date('2026-03-02T12:00:00Z'))).toEqual([new Date('2027-02-28T10:00:00Z')]);
    expect(await dueAfter(new Date('2027-03-02T12:00:00Z'))).toEqual([new Date('2028-02-29T10:00:00Z')]);
  });

  it('thinks of a day that matters on the same day in a new time zone', async () => {
    await optIn();
    const birthday = new Date('2026-05-03T10:00:00Z');
    const ofTheirDay = { kind: 'date' as const, yearly: true, exact: false, byClock: true };
    await intend(birthday, 'my birthday is on 3 May', ofTheirDay);
    await intend(birthday, 'remind me of the milk');
    await consents.change(personId, { timeZone: 'Pacific/Auckland' }, NOON);
    const { intentions } = await records.overview(personId, NOON);
    expect(new Map(intentions.map(({ kind, dueAt }) => [kind, dueAt]))).toEqual(
      new Map([
        // At ten in the morning there.
        ['date', new Date('2026-05-02T22:00:00Z')],
        ['request', birthday],
      ]),
    );
  });

  it('comes once next year, where the zone changed before this year’s was given up and came again', async () => {
    await optIn();
    const ofTheirDay = { kind: 'date' as const, yearly: true, exact: false, byClock: true };
    await intend(minutes(-120), 'my birthday is on 14 January', ofTheirDay);
    const { attempt } = await records.decideFor(personId, NOON, false);
    await consents.change(personId, { timeZone: 'Europe/Berlin' }, minutes(1));
    expect(await reasonOf(attempt, minutes(2), true)).toBeNull();
    const again = await records.decideFor(personId, minutes(3), false);
    expect(again.decision.kind).toBe('reach-out');
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ status, dueAt }) => [status, dueAt.toISOString().slice(0, 16)])).toEqual([
      ['open', '2027-01-14T09:00'],
      ['done', '2026-01-14T09:00'],
    ]);
  });
});
