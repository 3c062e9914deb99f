import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { personalityContract } from '@kith/contracts';
import {
  PersonalitySuite,
  forgetting,
  gateway,
  hoursAgo,
  memory,
  messageOf,
} from '../e2e/personality-suite.js';

const suite = new PersonalitySuite();
const { appraise, compose, turnOf } = suite;
beforeAll(() => suite.start());
afterEach(() => suite.empty());
afterAll(() => suite.stop());

describe('a shared joke', () => {
  const laugh = { reply: 'Hahaha, that poor toast!' };
  const day = 24;
  const jokesOf = async (personId: string, audience = 'direct') =>
    (await compose(personId, new Date(), audience)).bond.jokes;

  it('is what was laughed at and came back on a later day, and stays where it was told', async () => {
    const personId = randomUUID();
    const first = turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), laugh);
    await appraise(first);
    expect(await jokesOf(personId)).toEqual([]);
    const second = turnOf(personId, 'remember the Flying Toaster Incident?', hoursAgo(1), { reply: 'I do.' });
    await appraise(second);
    expect(await jokesOf(personId)).toEqual([
      {
        phrase: 'flying toaster incident',
        day: hoursAgo(2 * day)
          .toISOString()
          .slice(0, 10),
        turnIds: [first, second],
        audience: 'direct',
      },
    ]);
    const alone = await compose(personId);
    expect(alone.jokes).toEqual(['flying toaster incident']);
    expect(alone.moodBlock).not.toContain('toaster');
    const inChannel = await compose(personId, new Date(), 'channel:discord:1');
    expect(inChannel.bond.jokes).toEqual([]);
    expect(inChannel.jokes).toEqual([]);
    expect(await jokesOf(randomUUID())).toEqual([]);
  });

  it('of a channel is theirs there and in their DM', async () => {
    const personId = randomUUID();
    const there = { audience: 'channel:discord:1' };
    await appraise(
      turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), { ...laugh, ...there }),
    );
    await appraise(turnOf(personId, 'another toaster incident', hoursAgo(1), there));
    for (const audience of ['channel:discord:1', 'direct']) {
      expect(await jokesOf(personId, audience)).toMatchObject([{ phrase: 'toaster incident' }]);
    }
    expect(await jokesOf(personId, 'channel:discord:2')).toEqual([]);
  });

  it('of a channel is held back while the app is away from there', async () => {
    const personId = randomUUID();
    const audience = 'channel:discord:left' as const;
    const there = { audience };
    await appraise(
      turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), { ...laugh, ...there }),
    );
    await appraise(turnOf(personId, 'another toaster incident', hoursAgo(1), there));
    const heard = async () => (await compose(personId)).jokes.length + (await jokesOf(personId)).length;
    expect(await heard()).toBe(2);
    await suite.messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: true });
    expect(await heard()).toBe(0);
    await suite.messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: false });
    expect(await heard()).toBe(2);
  });

  it('is never of private talk', async () => {
    const personId = randomUUID();
    memory.private.add(personId);
    await appraise(turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), laugh));
    memory.private.delete(personId);
    await appraise(turnOf(personId, 'remember the flying toaster incident?', hoursAgo(1)));
    expect(await suite.stores.query('SELECT 1 FROM shared_jokes')).toEqual([]);
  });

  it('may be the companion’s words, at which the person laughs in the turn after', async () => {
    const personId = randomUUID();
    const reply = 'Chiefly a pocket philosopher.';
    await appraise(turnOf(personId, 'what are you?', hoursAgo(2 * day), { reply }));
    await appraise(turnOf(personId, '😂 stop it', hoursAgo(2 * day - 0.05), { reply: 'Never.' }));
    await appraise(turnOf(personId, 'so, pocket philosopher, what now?', hoursAgo(1), { reply: 'Hm.' }));
    expect(await jokesOf(personId)).toMatchObject([{ phrase: 'pocket philosopher' }]);
  });

  it('goes with a reply that repeats what somebody had forgotten, and comes back with it', async () => {
    const personId = randomUUID();
    const reply = 'Chiefly a pocket philosopher.';
    const funny = turnOf(personId, 'what are you?', hoursAgo(2 * day), { reply });
    await appraise(funny);
    await appraise(turnOf(personId, '😂 stop it', hoursAgo(2 * day - 0.05), { reply: 'Never.' }));
    await appraise(turnOf(personId, 'so, pocket philosopher, what now?', hoursAgo(1), { reply: 'Hm.' }));
    const order = {
      ...forgetting(randomUUID(), []),
      replyTurnIds: [funny],
      undoUntil: new Date(Date.now() + 60_000).toISOString(),
    };
    await suite.messenger.ask(personalityContract.forget, order);
    expect(await jokesOf(personId)).toEqual([]);
    await suite.messenger.ask(personalityContract.undoForget, order);
    expect(await jokesOf(personId)).toMatchObject([{ phrase: 'pocket philosopher' }]);
  });

  it('is not kept of a turn that is forgotten while it is laughed at', async () => {
    const personId = randomUUID();
    const first = turnOf(personId, 'what are you?', hoursAgo(3), { reply: 'Chiefly a pocket philosopher.' });
    await appraise(first);
    const laughter = turnOf(personId, '😂 stop it', hoursAgo(2.95), { reply: 'Never.' });
    gateway.onRead = async (turnIds) => {
      if (!turnIds.includes(first)) return;
      gateway.onRead = undefined;
      gateway.said.delete(first);
      const order = { ...forgetting(personId, [messageOf(first)]), turnIds: [first] };
      await suite.messenger.ask(personalityContract.forget, order);
    };
    await appraise(laughter);
    expect(gateway.onRead).toBeUndefined();
    expect(await suite.stores.query('SELECT 1 FROM shared_jokes')).toEqual([]);
  });

  it('goes with the messages it comes from', async () => {
    const personId = randomUUID();
    const first = turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), laugh);
    await appraise(first);
    await appraise(turnOf(personId, 'remember the flying toaster incident?', hoursAgo(1)));
    const forget = (sources: string[]) =>
      suite.messenger.ask(personalityContract.forget, forgetting(personId, sources));
    await forget([randomUUID()]);
    await forget([messageOf(first)]);
    expect(await jokesOf(personId)).toEqual([]);
  });
});

/** An order to forget messages that nobody can take back. */
