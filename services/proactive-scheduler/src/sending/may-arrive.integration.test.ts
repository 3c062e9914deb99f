import { describe, expect, it } from '@jest/globals';
import { type OutreachRestriction, present } from '@kith/contracts';
import {
  NOON,
  attempts,
  consents,
  database,
  dispatcher,
  gateway,
  handle,
  intend,
  january,
  jobs,
  mayArrive,
  minutes,
  optIn,
  outreachEnded,
  personId,
  reasonOf,
  records,
  sent,
  setUpOutreach,
  stores,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('outreach that was decided', () => {
  it('never writes to a minor, nor in a time of rest', async () => {
    await optIn();
    await intend(minutes(-1));
    const why = async () => {
      const { decision } = await records.decideFor(personId, NOON, false);
      return decision.kind === 'wait' ? decision.why : decision.kind;
    };
    await consents.restrict(personId, { ageState: 'minor' }, NOON);
    expect(await why()).toBe('minor');
    const restUntil = minutes(60).toISOString();
    expect(await consents.restrict(personId, { ageState: 'adult', restUntil }, NOON)).toEqual({
      ageState: 'adult',
      restUntil,
    });
    expect(await why()).toBe('rest');
    await consents.restrict(personId, { restUntil: null }, NOON);
    expect(await why()).toBe('reach-out');
  });

  it('is not begun in quiet hours, however long ago it was decided, and comes when they are over', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('15T02:00'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    await dispatcher.scan(night);
    expect(await jobs()).toBe(1);
    expect(await reasonOf(attempt, night)).toBeNull();
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
    await dispatcher.scan(night);
    expect(await jobs()).toBe(1);
    await dispatcher.scan(morning);
    expect(await jobs()).toBe(2);
    const [again] = await attempts();
    expect(again).toMatchObject({ status: 'queued', decidedAt: morning });
    expect(await reasonOf(again, morning)).toContain('ask me how it went');
  });

  it('comes before quiet hours for a task that is due in them', async () => {
    await optIn();
    await intend(january('14T23:30'));
    await stores.query(`UPDATE intentions SET kind = 'interest'`);
    await dispatcher.scan(january('14T21:50'));
    expect(await jobs()).toBe(0);
    await dispatcher.scan(january('14T21:58'));
    expect(await jobs()).toBe(1);
  });

  it.each<[string, Partial<OutreachRestriction>]>([
    ['of a minor', { ageState: 'minor' }],
    ['in a time of rest', { restUntil: minutes(60).toISOString() }],
  ])('is called off with the word %s, and decided on anew when that is taken back', async (_, word) => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, word, NOON);
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
    expect(await reasonOf(attempt, minutes(1))).toBeNull();
    await dispatcher.scan(minutes(1));
    expect(await attempts()).toHaveLength(1);
    await consents.restrict(personId, { ageState: 'adult', restUntil: null }, minutes(2));
    await dispatcher.scan(minutes(2));
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('may arrive as long as it would be decided on, and is called off where consent is gone meanwhile', async () => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    const unanswered = async () =>
      (await database.asPerson(personId, (tx) => tx.outreachSetting.findUnique({ where: { personId } })))
        ?.unanswered;
    expect(await mayArrive(attempt, minutes(20))).toBe(true);
    expect(await unanswered()).toBe(1);
    await consents.change(personId, { optedIn: false }, minutes(21));
    expect(await mayArrive(attempt, minutes(22))).toBe(false);
    const problem = 'it was not allowed any more when it was to be delivered';
    expect(await attempts()).toMatchObject([{ status: 'failed', problem }]);
    expect(await unanswered()).toBe(0);
    await consents.change(personId, { optedIn: true }, minutes(23));
    await dispatcher.scan(minutes(24));
    expect(await attempts()).toHaveLength(1);
    expect(await mayArrive(attempt, minutes(24))).toBe(false);
  });

  it('may arrive as the second one without an answer, for it is counted among these already', async () => {
    await optIn();
    await intend(minutes(-1));
    await stores.query('UPDATE outreach_settings SET unanswered = 1');
    const { attempt } = await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    expect(await mayArrive(attempt, minutes(2))).toBe(true);
  });

  it.each([
    ['begun', (attempt: { id: string } | undefined) => reasonOf(attempt, NOON, true)],
    ['delivered', (attempt: { id: string } | undefined) => mayArrive(attempt, NOON, true)],
  ])('is not %s over anything else of theirs, and comes when that is over', async (_, ask) => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    expect(await ask(attempt)).toBeFalsy();
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    await dispatcher.scan(minutes(1));
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('comes later where it could not be delivered before quiet hours', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('14T22:10'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    await sent(evening);
    expect(await mayArrive(attempt, night)).toBe(false);
    await dispatcher.scan(morning);
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('is given up where the gateway has nothing of it for hours, and its reason is decided on anew', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    gateway.busy = null;
    await dispatcher.scan(minutes(7 * 60));
    expect(await attempts()).toMatchObject([{ status: 'queued' }]);
    gateway.busy = true;
    await dispatcher.scan(minutes(8 * 60));
    expect(await attempts()).toMatchObject([{ status: 'queued' }]);
    gateway.busy = false;
    await dispatcher.scan(minutes(9 * 60));
    expect(await attempts()).toMatchObject([
      { status: 'queued', decidedAt: minutes(9 * 60) },
      { status: 'failed', problem: 'nothing was heard of it for hours' },
    ]);
  });

  it('counts as sent when the gateway was at it as it was called off, and does not come again', async () => {
    await optIn();
    await intend(minutes(-1));
    await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, { restUntil: minutes(10).toISOString() }, NOON);
    await sent(minutes(1));
    expect(await attempts()).toMatchObject([{ status: 'sent', problem: null }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
  });

  it('comes later where it was called off at delivery before its turn was heard of', async () => {
    const [evening, night, morning] = [january('14T21:58'), january('14T22:10'), january('15T09:50')];
    await optIn();
    await intend(january('14T21:57'));
    const { attempt } = await records.decideFor(personId, evening, false);
    expect(await mayArrive(attempt, night)).toBe(false);
    await sent(night);
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'open' }]);
    await dispatcher.scan(morning);
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
  });

  it('ends for itself where it was called off, and not for the one that was decided on since', async () => {
    await optIn();
    await intend(minutes(-1));
    const { attempt: first } = await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, { restUntil: minutes(1).toISOString() }, NOON);
    expect(await mayArrive(first, NOON)).toBe(false);
    const { attempt: second } = await records.decideFor(personId, minutes(2), false);
    const calledOff = { attemptId: present(first).id, reason: 'called-off', endedAt: minutes(2) };
    await handle(await outreachEnded({ ...calledOff, outcome: 'dropped' }), []);
    expect((await attempts()).map(({ status }) => status)).toEqual(['queued', 'failed']);
    expect(await reasonOf(second, minutes(3))).not.toBeNull();
    await sent(minutes(4), second);
    expect((await attempts()).map(({ status }) => status)).toEqual(['sent', 'failed']);
  });

  it('does not count as sent where it was called off, and dropped at delivery', async () => {
    await optIn();
    await intend(minutes(-1));
    const { attempt } = await records.decideFor(personId, NOON, false);
    await consents.restrict(personId, { restUntil: minutes(10).toISOString() }, NOON);
    expect(await mayArrive(attempt, minutes(1))).toBe(false);
    await sent(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'failed' }]);
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'open' }]);
  });
});
