import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { findOutreach, isBusy } from '../delivery/is-busy.js';
import { answered, withTalk } from '../e2e/talk.js';
import { testingIntake } from '../e2e/testing-intake.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { CompanionStanding } from '../answer/decide-gate.js';

const talk = withTalk();

describe('a reason to write first', () => {
  it('begins no turn while its companion is paused and gives its attempt back, and begins it when it is asked for after that', async () => {
    let standing: CompanionStanding = 'paused';
    const orders: unknown[] = [];
    const intake = testingIntake(talk.database, 'Her exam was today.', () => standing, orders);
    const { personId } = await talk.place();
    const attempt = { personId, companionId: 'mira', attemptId: randomUUID() };
    const begun = () =>
      talk.stores.query(`SELECT text FROM inbox WHERE external_id = $1`, [attempt.attemptId]);
    await intake.reachOut(attempt);
    expect(await begun()).toEqual([]);
    const { attemptId, personId: whose } = attempt;
    expect(orders).toMatchObject([{ attemptId, personId: whose, passes: true }]);
    standing = 'serves';
    await intake.reachOut(attempt);
    expect(await begun()).toEqual([{ text: 'Her exam was today.' }]);
  });

  it('is asked for together with whether anything else of theirs is under way', async () => {
    const asked: unknown[] = [];
    const intake = testingIntake(talk.database, 'Her exam was today.', () => 'serves', [], asked);
    const where = await talk.place();
    const { personId } = where;
    const attempt = { personId, companionId: 'mira', attemptId: randomUUID() };
    await intake.reachOut(attempt);
    await talk.accept(await talk.placeOf(personId), randomUUID());
    await intake.reachOut({ ...attempt, attemptId: randomUUID() });
    expect(asked).toMatchObject([
      { personId, attemptId: attempt.attemptId, isBusy: false },
      { isBusy: true },
    ]);
    // Asked for again after a crash, it is not called off: it was begun.
    await intake.reachOut(attempt);
    expect(asked).toHaveLength(2);
  });

  it('is not itself what is under way, be it written or on its way', async () => {
    const intake = testingIntake(talk.database, 'Her exam was today.');
    const where = await talk.place();
    const { personId } = where;
    const attemptId = randomUUID();
    const busy = async () => [
      await isBusy(talk.database, personId, attemptId),
      await isBusy(talk.database, personId),
    ];
    await intake.reachOut({ personId, companionId: 'mira', attemptId });
    expect(await busy()).toEqual([false, true]);
    await commitTurn(talk.database, await talk.claim(where), answered(), false);
    expect(await busy()).toEqual([false, true]);
    await talk.accept(where, randomUUID());
    expect(await busy()).toEqual([true, true]);
    await commitTurn(talk.database, await talk.claim(where), answered(), false);
    // The reply is on its way.
    expect(await busy()).toEqual([true, true]);
    await talk.stores.query(`UPDATE outbox SET status = 'delivered'`);
    expect(await busy()).toEqual([false, false]);
    expect(await findOutreach(talk.database, personId, attemptId)).toEqual({ answeredAt: expect.any(Date) });
  });

  it('begins no turn for a companion that is retired, nor does a heartbeat, and its attempt ends for good', async () => {
    const orders: unknown[] = [];
    const intake = testingIntake(talk.database, 'Her exam was today.', () => 'retired', orders);
    const { personId } = await talk.place();
    const attemptId = randomUUID();
    await intake.reachOut({ personId, companionId: 'orla', attemptId });
    await intake.heartbeat({ personId, companionId: 'orla', day: '2027-01-05', why: 'day' });
    expect(orders).toMatchObject([{ attemptId, personId, passes: false }]);
    expect(await talk.stores.query(`SELECT text FROM inbox WHERE person_id = $1`, [personId])).toEqual([]);
  });
});
