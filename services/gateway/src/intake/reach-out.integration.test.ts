import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { withTalk } from '../e2e/talk.js';
import { testingIntake } from '../e2e/testing-intake.js';

const talk = withTalk();

describe('a reason to write first', () => {
  it('begins no turn while its companion is paused and gives its attempt back, and begins it when it is asked for after that', async () => {
    let isPaused = true;
    const orders: unknown[] = [];
    const intake = testingIntake(talk.database, 'Her exam was today.', () => isPaused, orders);
    const { personId } = await talk.place();
    const attempt = { personId, companionId: 'mira', attemptId: randomUUID() };
    const begun = () =>
      talk.stores.query(`SELECT text FROM inbox WHERE external_id = $1`, [attempt.attemptId]);
    await intake.reachOut(attempt);
    expect(await begun()).toEqual([]);
    const { attemptId, personId: whose } = attempt;
    expect(orders).toMatchObject([{ attemptId, personId: whose, passes: true }]);
    isPaused = false;
    await intake.reachOut(attempt);
    expect(await begun()).toEqual([{ text: 'Her exam was today.' }]);
  });
});
