import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type OutreachSettings } from '@kith/contracts';
import { eventually } from '@kith/testing';
import {
  NOON,
  consents,
  database,
  ended,
  handle,
  handleAgain,
  intend,
  january,
  minutes,
  optIn,
  personId,
  reason,
  records,
  setUpOutreach,
  stores,
} from '../e2e/outreach-suite.js';
import { noticeReasons } from '../reasons/notice-reasons.js';
import { ConsentRecords } from './consent-records.js';
import { defaultSettings } from './stored-settings.js';

setUpOutreach();

describe('outreach settings', () => {
  it('are off for someone never seen', async () => {
    expect((await records.overview(personId, NOON)).situation.settings).toEqual({
      optedIn: false,
      direct: true,
      channel: null,
      timeZone: 'UTC',
      quietFrom: '22:00',
      quietUntil: '08:00',
      dailyCap: 1,
      weeklyCap: 5,
      topicsOff: [],
    });
  });

  it('are changed by several at once that know nothing of each other', async () => {
    const someone = randomUUID();
    const changes = Array.from({ length: 8 }, () => consents.change(someone, { optedIn: true }, NOON));
    expect((await Promise.all(changes)).every(({ optedIn }) => optedIn)).toBe(true);
  });

  it('stay off when they are opted out of during another change', async () => {
    await optIn();
    let changed: Promise<OutreachSettings> | undefined;
    await database.asPerson(personId, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM outreach_settings WHERE person_id = ${personId}::uuid FOR UPDATE`;
      changed = consents.change(personId, { dailyCap: 3 }, NOON);
      await eventually('the change waits', async () => {
        // The server has the databases of other tests, too.
        const waiting = await stores.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return waiting.length === 1;
      });
      await tx.outreachSetting.update({ where: { personId }, data: { optedIn: false } });
    });
    expect(await changed).toMatchObject({ optedIn: false, dailyCap: 3 });
  });

  it('tell the quiet hours of who opted in, and of nobody else', async () => {
    const [other, stranger] = [randomUUID(), randomUUID()];
    await optIn();
    await consents.change(personId, { timeZone: 'Asia/Tokyo', quietFrom: '23:00' }, NOON);
    await consents.change(other, { timeZone: 'Asia/Tokyo' }, NOON);
    const hoursOf = await records.quietHoursOf([personId, other, stranger, personId]);
    expect(hoursOf(personId)).toMatchObject({
      timeZone: 'Asia/Tokyo',
      quietFrom: '23:00',
      quietUntil: '08:00',
    });
    expect([other, stranger].map(hoursOf)).toEqual([undefined, undefined]);
    await consents.change(stranger, { optedIn: true, timeZone: 'Asia/Tokyo', quietFrom: '23:00' }, NOON);
    expect(await records.quietHours()).toEqual([
      { timeZone: 'Asia/Tokyo', quietFrom: '23:00', quietUntil: '08:00' },
    ]);
  });

  it('keep what is not changed, and the date on which consent was last given', async () => {
    await optIn(minutes(-60));
    await consents.change(personId, { optedIn: true, dailyCap: 3 }, minutes(-30));
    const changed = { timeZone: 'Europe/Berlin', quietFrom: undefined };
    const after = await consents.change(personId, changed, NOON);
    expect(after).toEqual({
      optedIn: true,
      direct: true,
      channel: null,
      timeZone: 'Europe/Berlin',
      quietFrom: '22:00',
      quietUntil: '08:00',
      dailyCap: 3,
      weeklyCap: 5,
      topicsOff: [],
    });
    const [row] = await stores.query('SELECT opted_in_at FROM outreach_settings WHERE person_id = $1', [
      personId,
    ]);
    expect(row).toEqual({ opted_in_at: minutes(-30) });
  });

  it('move what was named by the clock with the zone, and leave what was counted from when it was said', async () => {
    await optIn();
    const words = [
      'remind me tomorrow at 18:00 to call mum',
      'check in on me in 30 hours',
      'remind me on Friday to water the plants',
      'ping me in 2 hours about the roast',
      'my exam is on Saturday',
    ];
    const told = { person: words.map((text) => ({ text, saidAt: NOON })), companion: [] };
    await handle(ended(), noticeReasons(told, 'UTC'));
    const dueTimes = async () => {
      const { intentions } = await records.overview(personId, NOON);
      return Object.fromEntries(
        intentions.map(({ about, dueAt }) => [about, dueAt.toISOString().slice(5, 16)]),
      );
    };
    const before = await dueTimes();
    await consents.change(personId, { timeZone: 'Pacific/Auckland' }, NOON);
    const after = {
      'remind me tomorrow at 18:00 to call mum': '01-15T05:00',
      'check in on me in 30 hours': '01-15T18:00',
      'remind me on Friday to water the plants': '01-15T21:00',
      'ping me in 2 hours about the roast': '01-14T14:00',
      'my exam is on Saturday': '01-17T05:00',
    };
    expect(await dueTimes()).toEqual(after);
    await consents.change(personId, { timeZone: 'UTC' }, NOON);
    expect(await dueTimes()).toEqual(before);
  });

  it('show what is in mind by now, however much was dropped before', async () => {
    const inDays = (days: number) => minutes(days * 24 * 60);
    for (const round of [1, 2]) {
      await optIn();
      const far = Array.from({ length: 30 }, (_, n) =>
        reason(inDays(90 + round * 30 + n), `remind me of ${n}`),
      );
      await handle(ended(), far);
      await consents.change(personId, { optedIn: false }, NOON);
    }
    await optIn();
    await intend(inDays(1), 'remind me to call mum');
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.filter(({ status }) => status === 'open')).toMatchObject([
      { about: 'remind me to call mum' },
    ]);
  });

  it('move what one turn asks for at several hours, however they change places, and keep what falls together once', async () => {
    await optIn();
    const inUtc = (time: string) => reason(january(time), 'remind me to eat', { byClock: true });
    await handle(ended(), ['15T07:00', '15T08:00', '14T12:30', '15T12:30'].map(inUtc));
    await consents.change(personId, { timeZone: 'Europe/Paris' }, NOON);
    const { intentions } = await records.overview(personId, NOON);
    const times = intentions.map(({ dueAt, turnId }) => [dueAt.toISOString().slice(5, 16), turnId !== null]);
    // Half past twelve of this day is over there: it falls on that of the next day.
    expect(times).toEqual([
      ['01-15T11:30', true],
      ['01-15T07:00', true],
      ['01-15T06:00', true],
    ]);
    await consents.change(personId, { timeZone: 'UTC' }, NOON);
    expect((await records.overview(personId, NOON)).intentions).toHaveLength(3);
  });

  it('leave dropped what was opted out of before the zone changed, once its turn is read again', async () => {
    await optIn();
    const [turn, at] = [ended(), { byClock: true }];
    const pill = (time: string) => reason(january(time), 'remind me to take my pill', at);
    await handle(turn, [pill('15T09:00'), pill('14T12:30')]);
    await consents.change(personId, { optedIn: false }, NOON);
    await consents.change(personId, { timeZone: 'Europe/Berlin' }, NOON);
    await optIn();
    await handleAgain(turn, [pill('15T08:00'), pill('15T11:30')]);
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ dueAt, status }) => [
        dueAt.toISOString().slice(5, 16),
        status,
      ]);
    expect(await kept()).toEqual([
      ['01-15T11:30', 'dropped'],
      ['01-15T08:00', 'dropped'],
    ]);
    // What is open stays so where a dropped one falls on its time.
    await handle(
      ended(),
      ['14T12:30', '15T12:30'].map((time) => reason(january(time), 'eat', at)),
    );
    await stores.query(`UPDATE intentions SET status = 'dropped' WHERE about = 'eat' AND due_at = $1`, [
      january('14T12:30'),
    ]);
    await consents.change(personId, { timeZone: 'Europe/Helsinki' }, NOON);
    expect((await kept()).filter(([, status]) => status === 'open')).toEqual([['01-15T11:30', 'open']]);
    // Also where the dropped one goes by no clock, so that its time is the same in every zone.
    await handle(ended(), [reason(january('15T10:30'), 'drink'), reason(january('15T11:30'), 'drink', at)]);
    await stores.query(`UPDATE intentions SET status = 'dropped' WHERE about = 'drink' AND NOT by_clock`, []);
    await consents.change(personId, { timeZone: 'Asia/Baghdad' }, NOON);
    expect((await kept()).filter(([, status]) => status === 'open')).toEqual([
      ['01-15T10:30', 'open'],
      ['01-15T10:30', 'open'],
    ]);
    // Also where the other one was said already.
    await handle(ended(), [reason(january('15T08:30'), 'walk', at), reason(january('15T11:30'), 'walk')]);
    await stores.query(`UPDATE intentions SET status = 'done' WHERE about = 'walk' AND by_clock`, []);
    await consents.change(personId, { timeZone: 'UTC' }, NOON);
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.filter(({ about }) => about === 'walk')).toMatchObject([{ status: 'open' }]);
  });

  it('go by the suite’s zone of now until one is named, with what was named by the clock', async () => {
    const suiteIn = (timeZone: string) => new ConsentRecords(database, defaultSettings(timeZone));
    const [paris, named] = [suiteIn('Europe/Paris'), randomUUID()];
    const toMove = (some: ConsentRecords) => some.peopleToMove('00000000-0000-0000-0000-000000000000', 10);
    await intend(january('15T18:00'), 'remind me to call mum', { byClock: true });
    await consents.change(personId, { optedIn: true, quietFrom: '23:00' }, NOON);
    await consents.change(named, { timeZone: 'UTC' }, NOON);
    expect(await toMove(consents)).toEqual([]);
    expect(await toMove(paris)).toEqual([personId]);
    expect(await paris.peopleToMove(personId, 10)).toEqual([]);
    for (const one of [personId, named]) await paris.moveToSuite(one, NOON);
    const { situation, intentions } = await records.overview(personId, NOON);
    expect(situation.settings).toMatchObject({ optedIn: true, timeZone: 'Europe/Paris', quietFrom: '23:00' });
    expect(intentions.map(({ dueAt }) => dueAt)).toEqual([january('15T17:00')]);
    expect(await records.timeZoneOf(named)).toBe('UTC');

    await paris.change(personId, { timeZone: 'Europe/Paris' }, NOON);
    expect(await toMove(suiteIn('Asia/Tokyo'))).toEqual([]);
  });

  it('keep a request of one turn once, and thirty open ones at most', async () => {
    const turn = ended();
    const noticed = [reason(minutes(60), 'remind me to eat')];
    expect(await handle(turn, noticed)).toBe(1);
    expect(await handle(turn, noticed)).toBe(0);
    const many = Array.from({ length: 40 }, (_, index) => reason(minutes(60), `remind me ${index}`));
    expect(await handle(ended(), many)).toBe(29);
  });

  it("leave another person's alone", async () => {
    const other = randomUUID();
    await optIn();
    await consents.change(other, { optedIn: true }, NOON);
    await consents.change(personId, { optedIn: false }, NOON);
    expect((await records.overview(other, NOON)).situation.settings.optedIn).toBe(true);
  });
});
