import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { personalityContract, type RequestInput } from '@kith/contracts';
import { eventually } from '@kith/testing';
import {
  PersonalitySuite,
  forgetting,
  gateway,
  hoursAgo,
  memory,
  messageOf,
  utcDay,
} from '../e2e/personality-suite.js';
import { SHIPPED_FOLDER } from '../persona/load-personas.js';

const suite = new PersonalitySuite();
const { appraise, turnOf } = suite;
beforeAll(() => suite.start());
afterEach(() => suite.empty());
afterAll(() => suite.stop());

describe('what somebody hopes or fears', () => {
  const day = 24;
  const FEAR = 'I have my exam on Friday, I am so scared';
  const eventsOf = async (viewer: string | null, asker = viewer ?? randomUUID()) =>
    (await suite.messenger.ask(personalityContract.affectEvents, { companionId: 'mira', viewer, asker }))
      .events;
  const rereadIsDone = () =>
    eventually('the job is done', async () => {
      const counts = await suite.messenger.jobs.counts(personalityContract.reread);
      return (counts['active'] ?? 0) + (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) === 0;
    });
  const prospects = () =>
    suite.stores.query<{ settled_by: string | null }>('SELECT settled_by FROM prospects');

  it('is read again in an edited message, and felt once', async () => {
    const personId = randomUUID();
    const told = turnOf(personId, FEAR, hoursAgo(4 * day));
    await appraise(told);
    const felt = await eventsOf(personId);
    await suite.messenger.ask(personalityContract.forget, {
      ...forgetting(personId, [messageOf(told)]),
      turnIds: [told],
      isReread: true,
    });
    expect(await prospects()).toEqual([]);
    gateway.said.set(told, { ...gateway.said.get(told)!, text: 'I hope the visa comes through' });
    for (const revision of [1, 2]) {
      await suite.messenger.enqueue(personalityContract.reread, { turnId: told, revision });
      await rereadIsDone();
    }
    expect(await suite.stores.query('SELECT kind, about FROM prospects')).toEqual([
      { kind: 'hoped', about: 'I hope the visa comes through' },
    ]);
    expect(await eventsOf(personId)).toEqual(felt);
  });

  it('is read again in an edited message whose order was lost, as its turn counts as unfinished until then', async () => {
    const personId = randomUUID();
    const told = turnOf(personId, FEAR, hoursAgo(4 * day));
    await appraise(told);
    const unfinished = async () =>
      (await suite.messenger.ask(personalityContract.unfinished, { turnIds: [told] })).unfinished;
    expect(await unfinished()).toEqual([]);
    await suite.messenger.ask(personalityContract.forget, {
      ...forgetting(personId, [messageOf(told)]),
      turnIds: [told],
      isReread: true,
    });
    gateway.said.set(told, { ...gateway.said.get(told)!, text: 'I hope the visa comes through' });
    expect(await unfinished()).toEqual([told]);
    const felt = await eventsOf(personId);
    await suite.stores.query(
      `UPDATE personality_handled_turns SET edited_at = now() - interval '2 minutes' WHERE turn_id = $1`,
      [told],
    );
    await suite.handInAgain(told);
    await eventually('it is read again', async () => (await unfinished()).length === 0);
    expect(await suite.stores.query('SELECT kind, about FROM prospects')).toEqual([
      { kind: 'hoped', about: 'I hope the visa comes through' },
    ]);
    expect(await eventsOf(personId)).toEqual(felt);
  });

  it.each([
    ['deleted', null],
    ['edited again', 'I hope the visa comes through'],
  ])('is not kept of words that are %s while they are read again', async (_, text) => {
    const personId = randomUUID();
    const told = turnOf(personId, FEAR, hoursAgo(4 * day));
    await appraise(told);
    const order = { ...forgetting(personId, [messageOf(told)]), turnIds: [told], isReread: true };
    let release = (_: null): void => undefined;
    const asked = memory.asked;
    memory.answersAfter = new Promise<null>((resolve) => (release = resolve));
    await suite.messenger.enqueue(personalityContract.reread, { turnId: told, revision: 1 });
    await eventually('the words are read', () => memory.asked > asked);
    const said = gateway.said.get(told)!;
    if (text === null) gateway.said.delete(told);
    else gateway.said.set(told, { ...said, text });
    await suite.messenger.ask(personalityContract.forget, order);
    release(null);
    await rereadIsDone();
    expect((await suite.stores.query('SELECT about FROM prospects')).map(({ about }) => about)).toEqual(
      text === null ? [] : [text],
    );
  });

  describe('of a companion that has left', () => {
    const of = { companionId: 'nell' };
    beforeEach(async () => {
      const shipped = await readFile(`${SHIPPED_FOLDER}/mira.json`, 'utf8');
      const persona = { ...(JSON.parse(shipped) as object), id: 'nell', name: 'Nell' };
      await suite.messenger.ask(personalityContract.createCompanion, { persona });
    });
    const isDone = (contract: typeof personalityContract.appraise | typeof personalityContract.reread) =>
      eventually('the job is done', async () => {
        const { active, waiting, delayed, failed } = await suite.messenger.jobs.counts(contract);
        return [active, waiting, delayed].some((count) => count !== 0) ? null : { failed };
      });

    it('stays where its edited message is ordered to be read again', async () => {
      const told = turnOf(randomUUID(), FEAR, hoursAgo(day), of);
      await appraise(told);
      await suite.messenger.ask(personalityContract.retireCompanion, of);
      await suite.messenger.enqueue(personalityContract.reread, { turnId: told, revision: 1 });
      expect(await isDone(personalityContract.reread)).toEqual({ failed: 0 });
      expect(await prospects()).toHaveLength(1);
    });

    it('stays where that order was lost, and holds up no other edited message', async () => {
      const [left, told] = [turnOf(randomUUID(), FEAR, hoursAgo(day), of), turnOf(randomUUID(), FEAR)];
      await appraise(left, told);
      await suite.messenger.ask(personalityContract.retireCompanion, of);
      gateway.said.set(told, { ...gateway.said.get(told)!, text: 'I hope the visa comes through' });
      await suite.stores.query(
        "UPDATE personality_handled_turns SET edited_at = now() - interval '2 minutes'",
      );
      await suite.messenger.enqueue(personalityContract.appraise, { turnIds: [left, told] });
      expect(await isDone(personalityContract.appraise)).toEqual({ failed: 0 });
      const kept = await suite.stores.query('SELECT about FROM prospects ORDER BY since');
      expect(kept).toEqual([{ about: FEAR }, { about: 'I hope the visa comes through' }]);
      const { unfinished } = await suite.messenger.ask(personalityContract.unfinished, {
        turnIds: [left, told],
      });
      expect(unfinished).toEqual([]);
    });
  });

  it('is named no more while the app is away from where it was told', async () => {
    const personId = randomUUID();
    const audience = 'channel:discord:exam' as const;
    await appraise(turnOf(personId, FEAR, hoursAgo(4 * day), { audience }));
    await appraise(turnOf(personId, 'I passed!!', hoursAgo(day)));
    const about = async () => (await eventsOf(personId))[0]?.settles?.about;
    expect(await about()).toBe(FEAR);
    await suite.messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: true });
    expect(await about()).toBeNull();
    await suite.messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: false });
    expect(await about()).toBe(FEAR);
  });

  it('meets its outcome days later, and the event says what it was about', async () => {
    const personId = randomUUID();
    const since = hoursAgo(4 * day);
    const told = turnOf(personId, FEAR, since);
    await appraise(told);
    await appraise(turnOf(personId, 'what time is it in lisbon', hoursAgo(3 * day)));
    await appraise(turnOf(randomUUID(), 'I passed!!', hoursAgo(2 * day)));
    const outcome = turnOf(personId, 'I passed!!', hoursAgo(day));
    await appraise(outcome);
    const [relief, fear] = await eventsOf(personId);
    expect(relief).toMatchObject({
      turnId: outcome,
      emotion: 'relief',
      variables: { prospect: 'disconfirmed' },
    });
    expect(relief?.settles).toEqual({
      turnId: told,
      kind: 'feared',
      about: FEAR,
      since: since.toISOString(),
    });
    expect(fear).toMatchObject({ turnId: told, emotion: 'fear', settles: null });
    expect(await prospects()).toEqual([{ settled_by: outcome }]);
    // An operator is told that there was something, in words only if they are their own. To others it was only news.
    const all = await eventsOf(null);
    expect(all.map(({ emotion, settles }) => [emotion, settles?.about])).toEqual([
      ['relief', null],
      ['happy-for', undefined],
      ['fear', undefined],
    ]);
    expect((await eventsOf(null, personId))[0]?.settles?.about).toBe(FEAR);
    const replayed = await suite.messenger.ask(personalityContract.replay, {
      companionId: 'mira',
      from: hoursAgo(5 * day).toISOString(),
      to: new Date().toISOString(),
    });
    expect(replayed).toMatchObject({ turns: 4, differing: 0 });
    await appraise(turnOf(personId, 'I passed!!', hoursAgo(1)));
    expect((await eventsOf(personId))[0]).toMatchObject({ emotion: 'happy-for', settles: null });
  });

  it('is nothing that is kept of private talk', async () => {
    const personId = randomUUID();
    memory.private.add(personId);
    await appraise(turnOf(personId, FEAR, hoursAgo(4 * day)));
    memory.private.delete(personId);
    expect(await prospects()).toEqual([]);
  });

  it('goes with the message it was told in, with the words in its event, and with the person', async () => {
    const personId = randomUUID();
    const told = turnOf(personId, FEAR, hoursAgo(4 * day));
    await appraise(told, turnOf(personId, 'I hope the visa comes through', hoursAgo(3 * day)));
    await appraise(turnOf(personId, 'the exam went great', hoursAgo(day)));
    expect((await eventsOf(personId))[0]?.settles?.about).toBe(FEAR);
    const sources = [messageOf(told)];
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const order = { ...forgetting(personId, sources), undoUntil };
    await suite.messenger.ask(personalityContract.forget, order);
    expect(await prospects()).toHaveLength(1);
    // What can be taken back comes back as it was.
    const { orderId } = order;
    expect(await suite.messenger.ask(personalityContract.undoForget, { orderId, personId })).toMatchObject({
      rows: 1,
    });
    expect(await prospects()).toHaveLength(2);
    await suite.messenger.ask(personalityContract.forget, forgetting(personId, sources));
    expect(await prospects()).toHaveLength(1);
    expect((await eventsOf(personId))[0]).toMatchObject({
      emotion: 'relief',
      settles: { turnId: told, about: null },
    });
    const { holdings } = await suite.messenger.ask(personalityContract.erase, { personId, preview: true });
    expect(holdings['prospects']).toBe(1);
    await suite.messenger.ask(personalityContract.erase, { personId, preview: false });
    expect(await prospects()).toEqual([]);
  });

  describe('and is forgotten by two orders', () => {
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const [personId, abouts] = [randomUUID(), () => suite.stores.query('SELECT about FROM prospects')];
    const forget = async (over: Partial<RequestInput<typeof personalityContract.forget>>) => {
      const order = { ...forgetting(personId, []), undoUntil, ...over };
      await suite.messenger.ask(personalityContract.forget, order);
      return () => suite.messenger.ask(personalityContract.undoForget, { orderId: order.orderId, personId });
    };
    const told = () => turnOf(personId, FEAR, hoursAgo(4 * day));
    const everything = () => ({ before: new Date().toISOString() });

    it('comes back with the last undo of them, whichever that is', async () => {
      const turnId = told();
      await appraise(turnId);
      for (const isInOrder of [true, false]) {
        const one = await forget({ messageIds: [messageOf(turnId)] });
        const all = await forget(everything());
        const [first, last] = isInOrder ? [one, all] : [all, one];
        await first();
        expect(await abouts()).toEqual([]);
        await last();
        expect(await abouts()).toEqual([{ about: FEAR }]);
      }
    });

    it('stays away where its message was deleted or edited since', async () => {
      const turnId = told();
      await appraise(turnId);
      const undo = await forget({ messageIds: [messageOf(turnId)] });
      await forget({ turnIds: [turnId], undoUntil: null });
      await undo();
      expect(await abouts()).toEqual([]);
      expect(await suite.stores.query('SELECT 1 FROM personality_sealed_rows')).toEqual([]);
    });
  });

  it('is bounded in number, and given up after a season', async () => {
    const personId = randomUUID();
    await appraise(turnOf(personId, FEAR, hoursAgo(200 * day)));
    await appraise(turnOf(personId, 'I passed the exam', hoursAgo(100 * day)));
    expect((await eventsOf(personId))[0]).toMatchObject({ emotion: 'happy-for', settles: null });
    const yesterday = hoursAgo(day).toISOString().slice(0, 10);
    await suite.messenger.enqueue(personalityContract.reflect, utcDay(yesterday));
    await eventually('the exam is given up', async () => (await prospects()).length === 0);
    const many =
      'audition biopsy boiler contract dentist drought funding ladder mortgage parcel recital sailing trial';
    await appraise(
      ...many.split(' ').map((what) => turnOf(personId, `I am worried about the ${what}`, hoursAgo(2 * day))),
    );
    expect(await prospects()).toHaveLength(12);
  });
});
