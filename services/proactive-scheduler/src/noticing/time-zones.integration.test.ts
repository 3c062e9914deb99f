import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import {
  NOON,
  consents,
  database,
  ended,
  gateway,
  handle,
  handleAgain,
  intake,
  january,
  optIn,
  personId,
  reason,
  records,
  saidBy,
  sent,
  setUpOutreach,
  stores,
} from '../e2e/outreach-suite.js';
import { noticeReasons } from '../reasons/notice-reasons.js';

setUpOutreach();

const nameZone = (timeZone: string, now = NOON) => consents.change(personId, { timeZone }, now);
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
