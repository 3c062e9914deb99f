import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@kith/testing';
import {
  NOON,
  consents,
  database,
  ended,
  forgetting,
  gateway,
  handle,
  handleAgain,
  intake,
  january,
  optIn,
  personId,
  readIn,
  reason,
  records,
  saidBy,
  sent,
  setUpOutreach,
  stores,
  turnRecords,
} from '../e2e/outreach-suite.js';
import { noticeReasons } from '../reasons/notice-reasons.js';
import { ConsentRecords } from '../store/consent-records.js';
import { defaultSettings } from '../store/stored-settings.js';

setUpOutreach();

const nameZone = (timeZone: string, now = NOON) => consents.change(personId, { timeZone }, now);
const suiteIn = (timeZone: string) => new ConsentRecords(database, defaultSettings(timeZone));
const kept = async () =>
  (await records.overview(personId, NOON)).intentions.map(({ dueAt, status }) => [
    dueAt.toISOString().slice(5, 16),
    status,
  ]);

describe('a turn that is read again in another time zone', () => {
  const evening = january('13T23:30');
  const morning = january('13T08:00');
  const read = (text: string, timeZone: string, saidAt = evening) =>
    noticeReasons({ person: [{ text, saidAt }], companion: [] }, timeZone);

  it.each([
    // There it was said on the next day.
    ['the day', 'remind me the day after tomorrow at 9 to call mum', evening],
    ['the day of a birthday', 'my birthday is tomorrow', evening],
    ['the day of an event', 'my exam is tomorrow', evening],
    ['the day of an hour somewhere else', 'remind me tomorrow at 9:00 EST to call mum', evening],
    // It was said before nine in the one zone, and after nine in the other.
    ['the half of the day', 'remind me at 9 to call mum', january('13T10:00')],
    // "Today" was at ten in the one zone, and is three hours later in the other.
    ['the hour', 'remind me today to call mum', morning],
  ])('gives each reason once, whatever changes %s of what is read', async (_, text, saidAt) => {
    const turn = ended({ endedAt: saidAt });
    expect(await handle(turn, read(text, 'UTC', saidAt))).toBe(1);
    await nameZone('Pacific/Auckland', saidAt);
    const moved = await kept();
    const now = read(text, 'Pacific/Auckland', saidAt);
    expect(now.map(({ dueAt }) => dueAt.toISOString().slice(5, 16))).not.toEqual([moved[0]?.[0]]);
    for (const __ of ['once', 'again']) await handleAgain(turn, now);
    expect(await kept()).toEqual(moved);
  });

  it.each([
    ['another day', 'remind me the day after tomorrow at 9 to call mum', evening],
    ['another half of the day', 'remind me at 9 to call mum', january('13T10:00')],
  ])('leaves dropped what was dropped, where it gives %s', async (_, text, saidAt) => {
    const turn = ended({ endedAt: saidAt });
    await optIn();
    await handle(turn, read(text, 'UTC', saidAt));
    await consents.change(personId, { optedIn: false }, saidAt);
    await nameZone('Pacific/Auckland', saidAt);
    await optIn();
    await handleAgain(turn, read(text, 'Pacific/Auckland', saidAt));
    expect((await kept()).map(([, status]) => status)).toEqual(['dropped']);
  });

  it('leaves dropped what moved with a traveller before it was', async () => {
    const text = 'remind me the day after tomorrow at 9 to call mum';
    const turn = ended({ endedAt: evening });
    await optIn();
    await nameZone('UTC', evening);
    await handle(turn, read(text, 'UTC'));
    await nameZone('Pacific/Auckland', evening);
    await consents.change(personId, { optedIn: false }, evening);
    await optIn();
    await handleAgain(turn, read(text, 'Pacific/Auckland'));
    expect((await kept()).map(([, status]) => status)).toEqual(['dropped']);
  });

  it('gives another day anew where the first one was dropped, and no zone has changed', async () => {
    const turn = ended({ endedAt: evening });
    const [friday, saturday] = ['Friday', 'Saturday'].map((day) =>
      read(`On ${day} at 9:00, remind me to eat`, 'UTC'),
    );
    await optIn();
    await handle(turn, friday!);
    await consents.change(personId, { optedIn: false }, evening);
    await optIn();
    await handleAgain(turn, friday!);
    expect(await kept()).toEqual([['01-16T09:00', 'dropped']]);
    await handleAgain(turn, saturday!);
    expect(await kept()).toEqual([['01-17T09:00', 'open']]);
  });

  it('is not written for again', async () => {
    const text = 'remind me tomorrow at 11:30 to call mum';
    const turn = ended({ endedAt: evening });
    await optIn();
    await handle(turn, read(text, 'UTC'));
    expect((await records.decideFor(personId, NOON, false)).decision.kind).toBe('reach-out');
    await sent(NOON);
    await nameZone('America/Los_Angeles');
    await handleAgain(turn, read(text, 'America/Los_Angeles'));
    const open = await stores.query(`SELECT 1 FROM intentions WHERE status = 'open'`, []);
    expect(open).toEqual([]);
  });

  it('gives what its new words ask for', async () => {
    const turn = ended({ endedAt: evening });
    const [at9, at10] = ['9:00', '10:00'].map((hour) => read(`Tomorrow at ${hour}, remind me to eat`, 'UTC'));
    await handle(turn, at9!);
    await handleAgain(turn, at10!, at9);
    expect(await kept()).toEqual([['01-14T10:00', 'open']]);
  });
});

describe('a turn whose person changes the time zone while it is read', () => {
  it('waits for the change', async () => {
    await optIn();
    let again: Promise<unknown> | undefined;
    await database.asPerson(personId, async (tx) => {
      await tx.outreachSetting.update({ where: { personId }, data: { timeZone: 'Asia/Tokyo' } });
      again = handleAgain(ended(), [reason(january('15T09:00'), 'remind me to eat', { byClock: true })]);
      again.catch(() => undefined);
      await eventually('the turn waits', async () => {
        const waiting = await stores.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          [],
        );
        return waiting.length === 1;
      });
    });
    await expect(again).rejects.toMatchObject({ code: 'unavailable' });
    expect(await kept()).toEqual([]);
  });

  it.each(['notice', 'noticeAgain'] as const)('is read once more by %s', async (how) => {
    const turn = saidBy(personId, 'remind me at nine');
    gateway.turns = [turn];
    const work = () => (how === 'notice' ? intake.notice([turn.turnId]) : intake.noticeAgain(turn.turnId));
    gateway.beforePrivacy = [async () => void (await nameZone('Asia/Tokyo'))];
    await expect(work()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await kept()).toEqual([]);
    await work();
    expect(await kept()).toHaveLength(1);
  });
});

describe('what was named while the time zone was a guess', () => {
  const evening = january('13T02:00');
  const read = (text: string, timeZone: string) =>
    noticeReasons({ person: [{ text, saidAt: evening }], companion: [] }, timeZone);
  const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
  const toPlace = () => consents.peopleToPlace(BEFORE_ALL, 10);
  const place = async (turn: ReturnType<typeof ended>, text: string, timeZone: string) => {
    const turnIds = await turnRecords.unplacedTurns(personId);
    await turnRecords.placeAgain(personId, turnIds, [await readIn(turn, read(text, timeZone))]);
    return turnIds;
  };

  it.each([
    // On the evening of the twelfth, in Los Angeles.
    ['remind me tomorrow at 9 to call mum', '01-13T17:00'],
    ['remind me on Friday at 9 to call mum', '01-16T17:00'],
    ['remind me in 2 hours to call mum', '01-13T04:00'],
    ['my exam is tomorrow', '01-14T02:00'],
    ['my birthday is tomorrow', '01-13T18:00'],
    ['remind me tomorrow at 9:00 EST to call mum', '01-13T14:00'],
  ])('is placed again by its words, once: %s', async (text, due) => {
    const turn = ended({ endedAt: evening });
    await handle(turn, read(text, 'UTC'));
    expect(await toPlace()).toEqual([]);
    await nameZone('America/Los_Angeles', evening);
    expect(await toPlace()).toEqual([personId]);
    expect(await place(turn, text, 'America/Los_Angeles')).toEqual([turn.turnId]);
    expect(await kept()).toEqual([[due, 'open']]);
    expect(await toPlace()).toEqual([]);

    // Whoever travels later keeps the day.
    await nameZone('Pacific/Auckland', evening);
    expect(await toPlace()).toEqual([]);
    expect(await consents.peopleToPlace(personId, 10)).toEqual([]);
  });

  it('is placed again by its words where the suite’s zone changes, and once more where another is named', async () => {
    const text = 'remind me tomorrow at 9 to call mum';
    const turn = ended({ endedAt: evening });
    await handle(turn, read(text, 'UTC'));
    await suiteIn('America/Los_Angeles').moveToSuite(personId, evening);
    expect(await toPlace()).toEqual([personId]);
    await place(turn, text, 'America/Los_Angeles');
    expect([await kept(), await toPlace()]).toEqual([[['01-13T17:00', 'open']], []]);

    await nameZone('Pacific/Auckland', evening);
    expect(await toPlace()).toEqual([personId]);
    await place(turn, text, 'Pacific/Auckland');
    expect([await kept(), await toPlace()]).toEqual([[['01-13T20:00', 'open']], []]);
  });

  it('is placed again where an undo restores it', async () => {
    const text = 'remind me tomorrow at 9 to call mum';
    const turn = ended({ endedAt: evening });
    await handle(turn, read(text, 'UTC'));
    const none = { companionId: null, messageIds: [], memoryIds: [], replyTurnIds: [], before: null };
    const order = { orderId: randomUUID(), personId, turnIds: [turn.turnId], ...none };
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    await forgetting.forget({ ...order, undoUntil, isReread: false, isNoticedAgain: false });
    await nameZone('America/Los_Angeles', evening);
    expect(await toPlace()).toEqual([]);
    await forgetting.undo(order);
    expect(await toPlace()).toEqual([personId]);
    await place(turn, text, 'America/Los_Angeles');
    expect(await kept()).toEqual([['01-13T17:00', 'open']]);
  });

  it('stays in the year that it has come to', async () => {
    const turn = ended({ endedAt: evening });
    const [birthday] = read('my birthday is tomorrow', 'UTC');
    await handle(turn, [{ ...birthday!, dueAt: new Date('2027-01-14T10:00:00Z') }]);
    await nameZone('America/Los_Angeles', evening);
    await place(turn, 'my birthday is tomorrow', 'America/Los_Angeles');
    const { intentions } = await records.overview(personId, NOON);
    expect(intentions.map(({ dueAt }) => dueAt)).toEqual([new Date('2027-01-13T18:00:00Z')]);
  });

  it('leaves alone which hour was written for, where a turn asks for two with the same words', async () => {
    const turn = ended({ endedAt: evening });
    const at = (time: string) => reason(january(time), 'erinnere mich um 8 und 20 Uhr', { byClock: true });
    await handle(turn, ['14T08:00', '14T20:00'].map(at));
    await stores.query(`UPDATE intentions SET status = 'done' WHERE due_at = $1`, [january('14T08:00')]);
    await nameZone('America/Los_Angeles', evening);
    const again = await readIn(turn, ['13T16:00', '14T04:00'].map(at));
    await turnRecords.placeAgain(personId, [turn.turnId], [again]);
    expect((await kept()).toSorted()).toEqual([
      ['01-14T04:00', 'open'],
      ['01-14T16:00', 'done'],
    ]);
  });

  it('keeps its time where its words are gone, and waits for no more', async () => {
    const asking = saidBy(personId, 'remind me at nine');
    gateway.turns = [asking];
    await intake.notice([asking.turnId]);
    await nameZone('Asia/Tokyo', january('01T00:00'));
    const moved = await kept();
    gateway.turns = [];
    await intake.placeAgain(personId);
    expect([await kept(), await toPlace()]).toEqual([moved, []]);
  });

  it('waits for the next round where the zone changes meanwhile', async () => {
    const text = 'remind me tomorrow at 9 to call mum';
    const turn = ended({ endedAt: evening });
    await handle(turn, read(text, 'UTC'));
    await nameZone('America/Los_Angeles', evening);
    const early = await readIn(turn, read(text, 'America/Los_Angeles'));
    await nameZone('Asia/Tokyo', evening);
    const placing = turnRecords.placeAgain(personId, [turn.turnId], [early]);
    await expect(placing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await toPlace()).toEqual([personId]);
  });
});
