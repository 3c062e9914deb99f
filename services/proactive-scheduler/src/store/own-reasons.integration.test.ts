import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@kith/contracts';
import {
  consents,
  ended,
  forgetting,
  handle,
  intentionRecords,
  minutes,
  NOON,
  optIn,
  personId,
  reason,
  records,
  setUpOutreach,
  spoke,
  stores,
} from '../e2e/outreach-suite.js';

setUpOutreach();

const keepOwn = (isStillKnown: () => Promise<boolean>) =>
  intentionRecords().keepOwn(
    { personId, companionId: 'wren' },
    { kind: 'interest', about: 'Ada likes bees', source: 'memory:1', audience: 'direct' },
    minutes(60),
    isStillKnown,
  );
/** People who may be asked about something of theirs at noon. */
const found = async () => {
  const people = await intentionRecords().peopleToThinkOf(NOON, {
    spokeWithinMs: 21 * DAY_MS,
    oneInMs: 7 * DAY_MS,
  });
  return people.map((one) => one.personId);
};
const statuses = async () => (await records.overview(personId, NOON)).intentions.map(({ status }) => status);

describe('a reason of the companion’s own', () => {
  it('is kept where its person opted in, and what it is of is still known', async () => {
    expect(await keepOwn(async () => true)).toBe(false);
    await optIn();
    expect(await keepOwn(async () => false)).toBe(false);
    expect(await statuses()).toEqual([]);
    expect(await keepOwn(async () => true)).toBe(true);
    expect(await statuses()).toEqual(['open']);
  });

  it('is dropped by an opt-out that comes while it is stored', async () => {
    await optIn();
    let out: Promise<unknown> = Promise.resolve();
    await keepOwn(async () => {
      out = consents.change(personId, { optedIn: false }, NOON);
      return true;
    });
    await out;
    expect(await statuses()).toEqual(['dropped']);
  });

  it('that it thought of goes with an order to forget that comes while it is stored', async () => {
    await optIn();
    const given = { about: 'the test', dueAt: minutes(60), exact: false, sources: ['thought', 'message:m1'] };
    let order: Promise<unknown> = Promise.resolve();
    await intentionRecords().intend({ personId, companionId: 'wren' }, given, NOON, async () => {
      order = forgetting.forget({
        orderId: randomUUID(),
        personId,
        companionId: null,
        before: null,
        undoUntil: null,
        turnIds: [],
        messageIds: ['m1'],
        memoryIds: [],
        replyTurnIds: [],
        isReread: false,
        isNoticedAgain: false,
      });
      return null;
    });
    await order;
    expect(await statuses()).toEqual([]);
  });

  it('may be had again where it was dropped unsaid long ago, and not where it was said', async () => {
    await optIn();
    const asked = async () => [...(await intentionRecords().askedAbout(personId, NOON))];
    await keepOwn(async () => true);
    const age = (days: number) =>
      stores.query(`UPDATE intentions SET created_at = $1`, [minutes(-days * 24 * 60).toISOString()]);
    for (const status of ['open', 'done', 'dropped']) {
      await stores.query(`UPDATE intentions SET status = $1`, [status]);
      await age(59);
      expect(await asked()).toEqual(['1']);
      await age(61);
      expect(await asked()).toEqual(status === 'dropped' ? [] : ['1']);
    }
  });

  it('is looked for while what they told of, or it thought of, is still far ahead', async () => {
    await optIn();
    const thought = { about: 'the exam in June', exact: false, sources: ['thought'] };
    const pair = { personId, companionId: 'wren' };
    const intend = (days: number) =>
      intentionRecords().intend(pair, { ...thought, dueAt: minutes(days * 24 * 60) }, NOON, async () => null);
    await intend(150);
    await handle(ended({ endedAt: minutes(-60) }), [
      reason(minutes(50 * 24 * 60), 'my wedding', { kind: 'follow-up', asked: false, exact: false }),
    ]);
    expect(await found()).toEqual([personId]);
    await stores.query(`UPDATE intentions SET due_at = $1`, [minutes(3 * 24 * 60).toISOString()]);
    expect(await found()).toEqual([]);
  });

  it('is looked for neither of a minor, nor of somebody who is out of reach, or did not opt in', async () => {
    await spoke(minutes(-60));
    expect(await found()).toEqual([]);
    await optIn();
    await consents.restrict(personId, { ageState: 'minor' }, NOON);
    expect(await found()).toEqual([]);
    await consents.restrict(personId, { ageState: 'unknown' }, NOON);
    await stores.query(`UPDATE outreach_settings SET unreachable = 'DMs are closed'`);
    expect(await found()).toEqual([]);
    await spoke(minutes(-30));
    expect(await found()).toEqual([personId]);
  });

  it('is looked for once a week, also after one that a clock which was ahead has left for another year', async () => {
    await optIn();
    await spoke(minutes(-60));
    expect(await found()).toEqual([personId]);
    await keepOwn(async () => true);
    await stores.query(`UPDATE intentions SET created_at = now()`);
    expect(await found()).toEqual([]);
    await stores.query(
      `UPDATE intentions SET created_at = now() + interval '1 year', due_at = now() + interval '1 year'`,
    );
    expect(await found()).toEqual([personId]);
  });
});
