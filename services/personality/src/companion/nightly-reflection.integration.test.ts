import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { personalityContract } from '@kith/contracts';
import { Database } from '@kith/database';
import { eventually } from '@kith/testing';
import { lockPeople } from '../store/lock-person.js';
import { ReflectionRecords } from '../store/reflection-records.js';
import { PersonalitySuite, forgetting, gateway, utcDay } from '../e2e/personality-suite.js';

const suite = new PersonalitySuite();
const { appraise, compose, turnOf } = suite;
beforeAll(() => suite.start());
afterEach(() => suite.empty());
afterAll(() => suite.stop());

describe('reflecting', () => {
  const DAY = '2026-05-04';
  const AT = new Date(`${DAY}T15:00:00Z`);
  const IN_CHANNEL = { audience: 'channel:discord:1', reply: 'Okay but first, soup.' };
  const ENTRY = `SELECT text FROM diary_entries WHERE day = '${DAY}'`;
  const notes = () => suite.stores.query<{ text: string; day: Date }>('SELECT text, day FROM self_notes');
  const diary = () => suite.stores.query<{ text: string }>('SELECT text FROM diary_entries');
  const quirks = () =>
    suite.stores.query<{ kind: string; text: string; strength: number }>(
      "SELECT kind, text, strength FROM quirks WHERE origin = 'reflection' ORDER BY text",
    );

  /** Waits until so many transactions wait for a lock. */
  const waiting = (count: number) =>
    eventually(`${count} wait`, async () => {
      const [row] = await suite.stores.query<{ n: string }>(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return row?.n === String(count);
    });

  const noJobLeft = () =>
    eventually('no job left', async () => {
      const counts = await suite.messenger.jobs.counts(personalityContract.reflect);
      return (counts['active'] ?? 0) + (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) === 0;
    });

  /** Orders the night over a day, and waits until it is over. */
  async function reflect(day = DAY, span: { from?: string; to?: string } = {}): Promise<void> {
    await suite.messenger.enqueue(personalityContract.reflect, { ...utcDay(day), ...span });
    await eventually(
      `${day} reflected on`,
      async () =>
        (
          await suite.stores.query(
            `SELECT 1 FROM reflections WHERE day = '${day}' AND finished_at IS NOT NULL`,
          )
        )[0],
    );
    await noJobLeft();
  }

  /** Edits Mira's settings for quirks. Returns what puts her own back in force. */
  async function editQuirks(change: object): Promise<() => Promise<unknown>> {
    const companionId = 'mira';
    const { persona } = await suite.messenger.ask(personalityContract.persona, { companionId });
    const edit = (to: typeof persona) =>
      suite.messenger.ask(personalityContract.editPersona, { companionId, persona: to });
    await edit({ ...persona, quirks: { ...(persona['quirks'] as object), ...change } });
    return () => edit(persona);
  }

  it('writes one note and one diary entry a day, the same when repeated, without a word of anyone', async () => {
    const turnId = turnOf(randomUUID(), 'thank you, my sister Philippa will be so happy', AT);
    await appraise(turnId);
    await reflect();
    const first = { notes: await notes(), diary: await diary() };
    expect(first.notes[0]?.text).toMatch(
      /^I talked with one person\. What came last left me [a-z -]+(, lighter than what came first)?\.$/,
    );
    expect(first.diary[0]?.text).toContain('There was kindness [1].');
    expect(JSON.stringify(first)).not.toContain('Philippa');
    expect(await suite.stores.query('SELECT number, turn_id FROM diary_sources')).toEqual([
      { number: 1, turn_id: turnId },
    ]);
    await reflect();
    expect({ notes: await notes(), diary: await diary() }).toEqual(first);
  });

  it('is over the time that counts to the day where the companion lives', async () => {
    const [late, early] = [new Date(`${DAY}T22:30:00Z`), new Date(`${DAY}T21:30:00Z`)];
    const turnId = turnOf(randomUUID(), 'thank you so much', late);
    await appraise(turnId, turnOf(randomUUID(), 'thank you so much', early));
    await reflect('2026-05-05', { from: `${DAY}T22:00:00.000Z`, to: '2026-05-05T22:00:00.000Z' });
    expect((await diary()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^5 May 2026\.\nOne exchange with one person\./),
    ]);
    expect(await suite.stores.query('SELECT turn_id FROM diary_sources')).toEqual([{ turn_id: turnId }]);
  });

  it('lets go of the turns behind a habit whose part in it has faded', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const sayOn = async (day: string) => {
      const at = new Date(`${day}T15:00:00Z`);
      const turns = [ana, ben, ana].map((person) => turnOf(person, 'I love sourdough!', at, IN_CHANNEL));
      await appraise(...turns);
      await reflect(day);
      return turns;
    };
    await sayOn('2026-05-04');
    const inForce = [...(await sayOn('2026-05-24')), ...(await sayOn('2026-06-12'))];
    const sources = await suite.stores.query<{ turn_id: string }>(
      "SELECT turn_id FROM quirk_sources s JOIN quirks q ON q.id = s.quirk_id WHERE q.text = 'sourdough'",
    );
    expect(sources.map(({ turn_id }) => turn_id).sort()).toEqual(inForce.sort());
  });

  it('picks up a habit from what several say in a channel, once a day, with its turns', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turns = [ana, ben, ana].map((person) => turnOf(person, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turns);
    await reflect();
    const picked = [
      { kind: 'speech', text: 'okay but first', strength: 0.3 },
      { kind: 'interest', text: 'sourdough', strength: 0.3 },
    ];
    expect(await quirks()).toEqual(picked);
    const sources = await suite.stores.query<{ turn_id: string }>(
      "SELECT turn_id FROM quirk_sources s JOIN quirks q ON q.id = s.quirk_id WHERE q.text = 'sourdough'",
    );
    expect(sources.map(({ turn_id }) => turn_id).sort()).toEqual([...turns].sort());
    expect((await diary())[0]?.text).toContain('coming back to sourdough [');
    await reflect();
    expect(await quirks()).toEqual(picked);
    const shown = async (audience: string) => {
      const { moodBlock } = await compose(randomUUID(), new Date(`${DAY}T20:00:00Z`), audience);
      return moodBlock.includes('Lately I like to come back to: sourdough.');
    };
    expect(await shown(IN_CHANNEL.audience)).toBe(true);
    expect([await shown('channel:discord:2'), await shown('direct')]).toEqual([false, false]);
  });

  it('shows everywhere what three people came up with on their own, for as long as three of them are left', async () => {
    const people = [1, 2, 3, 4].map(() => randomUUID());
    await appraise(...people.map((person) => turnOf(person, 'I love sourdough!', AT)));
    await reflect();
    const isShown = async () => {
      const { moodBlock } = await compose(randomUUID(), new Date(`${DAY}T20:00:00Z`));
      return moodBlock.includes('sourdough');
    };
    const [ana, ben] = people as [string, string];
    await suite.messenger.ask(personalityContract.erase, { personId: ana, preview: false });
    expect(await isShown()).toBe(true);
    const { turn_id: turnId } = (
      await suite.stores.query<{ turn_id: string }>(
        `SELECT turn_id FROM quirk_sources WHERE person_id = '${ben}'`,
      )
    )[0]!;
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const order = { ...forgetting(ben, []), turnIds: [turnId], undoUntil };
    await suite.messenger.ask(personalityContract.forget, order);
    expect(await isShown()).toBe(false);
    expect((await diary())[0]?.text).not.toContain('sourdough');
    // The sources of the two who are left went with it, and are not made anew of what was sealed.
    await suite.messenger.ask(personalityContract.undoForget, { orderId: order.orderId, personId: ben });
    expect(await suite.stores.query('SELECT person_id FROM quirk_sources')).toEqual([]);
  });

  it('keeps of turns that are forgotten no feeling, no source, and no habit that comes from them alone', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turns = [ana, ben, ana].map((personId) => {
      return { personId, turnId: turnOf(personId, 'I love sourdough!', AT, IN_CHANNEL) };
    });
    const late = { personId: ana, turnId: turnOf(ana, 'thank you', AT, IN_CHANNEL) };
    const turnIds = turns.map(({ turnId }) => turnId);
    const left = turnOf(ben, 'thank you', AT, IN_CHANNEL);
    await appraise(...turnIds, left);
    await reflect();
    const habits = async () => (await quirks()).map(({ text }) => text);
    expect(await habits()).toEqual(['okay but first', 'sourdough']);
    await suite.messenger.ask(personalityContract.forgetTurns, { turns: [...turns, late] });
    await suite.messenger.enqueue(personalityContract.appraise, { turnIds: [late.turnId] });
    await eventually('the late turn handled', async () => {
      const counts = await suite.messenger.jobs.counts(personalityContract.appraise);
      return (counts['active'] ?? 0) + (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) === 0;
    });
    expect(await habits()).toEqual(['okay but first']);
    expect((await diary())[0]?.text).not.toContain('sourdough');
    expect((await diary())[0]?.text).toContain('okay but first');
    for (const table of ['felt_turns', 'affect_events', 'quirk_sources', 'diary_sources']) {
      const rows = await suite.stores.query<{ turn_id: string }>(`SELECT DISTINCT turn_id FROM ${table}`);
      expect([table, rows]).toEqual([table, [{ turn_id: left }]]);
    }
    await suite.messenger.ask(personalityContract.forgetTurns, { turns });
    expect(await habits()).toEqual(['okay but first']);
  });

  it('keeps no habit of somebody whose sources went before, when a backup was restored', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    await appraise(...[ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL)));
    await reflect();
    // What a restore does where Ben was erased since: the habit of words comes from him alone now, and the other from both.
    await suite.stores.query(
      `DELETE FROM quirk_sources WHERE person_id = $1
         OR quirk_id = (SELECT id FROM quirks WHERE text = 'okay but first')`,
      [ben],
    );
    await suite.messenger.ask(personalityContract.erase, { personId: ben, preview: false });
    expect((await quirks()).map(({ text }) => text)).toEqual(['sourdough']);
    expect((await diary())[0]?.text).not.toContain('okay but first');
    expect((await diary())[0]?.text).toContain('sourdough');
  });

  it('reads a day anew of which somebody was erased meanwhile, and keeps nothing of them', async () => {
    const [ana, ben, cyn] = [randomUUID(), randomUUID(), randomUUID()];
    const turnIds = [ana, ana, cyn, ben].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    gateway.onRead = async () => {
      gateway.onRead = undefined;
      await suite.stores.query("INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')", [ben]);
      // The night goes on with what it has read; the erasure comes here a moment later.
      setTimeout(
        () => void suite.messenger.ask(personalityContract.erase, { personId: ben, preview: false }),
        500,
      );
    };
    await reflect();
    expect((await quirks()).map(({ text }) => text)).toEqual(['okay but first', 'sourdough']);
    expect((await diary())[0]?.text).toContain('3 exchanges with 2 people.');
    expect(await notes()).toHaveLength(1);
    const sources = await suite.stores.query<{ person_id: string }>('SELECT person_id FROM quirk_sources');
    expect(new Set(sources.map(({ person_id }) => person_id))).toEqual(new Set([ana, cyn]));
  });

  it('keeps no habit of turns that are forgotten once they were read', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    gateway.onRead = async () => {
      gateway.onRead = undefined;
      for (const turnId of turnIds) gateway.said.get(turnId)!.text = '';
      await suite.messenger.ask(personalityContract.forget, {
        ...forgetting(ana, []),
        turnIds: [turnIds[0]!, turnIds[2]!],
      });
    };
    await reflect();
    expect((await quirks()).map(({ text }) => text)).toEqual(['okay but first']);
    expect((await diary())[0]?.text).not.toContain('sourdough');
  });

  it('keeps no way of speaking of replies that are removed while it saves, and has it back with them', async () => {
    const [ana, ben, cyn] = [randomUUID(), randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const order = { ...forgetting(cyn, []), replyTurnIds: turnIds, undoUntil };
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    const saved = await database.asSystem(async (tx) => {
      await tx.$queryRaw`LOCK TABLE quirk_sources IN SHARE MODE`;
      const night = reflect();
      await waiting(1);
      const forgotten = suite.messenger.ask(personalityContract.forget, order);
      await waiting(2);
      return { both: Promise.all([night, forgotten]) };
    });
    await saved.both;
    await database.close();
    const habits = async () => (await quirks()).map(({ text }) => text);
    expect(await habits()).toEqual(['sourdough']);
    await suite.messenger.ask(personalityContract.undoForget, { orderId: order.orderId, personId: cyn });
    expect(await habits()).toEqual(['okay but first', 'sourdough']);
  });

  it('brings no earlier habit back that was forgotten once it was read', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    await reflect();
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    const records = new ReflectionRecords(database);
    const kept = await records.quirks('mira', { turns: [] });
    expect(kept.map(({ text }) => text)).toContain('sourdough');
    await suite.messenger.ask(personalityContract.forget, { ...forgetting(ana, []), turnIds });
    await suite.messenger.ask(personalityContract.forget, { ...forgetting(ben, []), turnIds });
    const mira = await suite.messenger.ask(personalityContract.companion, { companionId: 'mira' });
    await records.saveQuirks(mira, DAY, { kept, gone: [] }, await records.now());
    await database.close();
    expect(await quirks()).toEqual([]);
  });

  it('asks for what was said once, and for nothing while it saves', async () => {
    const turnIds = [1, 2, 3].map(() => turnOf(randomUUID(), 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    const asked: string[][] = [];
    gateway.onRead = async (ids) => void asked.push(ids);
    await reflect();
    gateway.onRead = undefined;
    expect(asked.map((ids) => ids.toSorted())).toEqual([turnIds.toSorted()]);
    expect((await quirks()).map(({ text }) => text)).toEqual(['okay but first', 'sourdough']);
  });

  it('keeps no habit of turns that stop being felt once they were read', async () => {
    const turns = [1, 2, 3].map(() => {
      const personId = randomUUID();
      return { personId, turnId: turnOf(personId, 'I love sourdough!', AT, IN_CHANNEL) };
    });
    await appraise(...turns.map(({ turnId }) => turnId));
    gateway.onRead = async () => {
      gateway.onRead = undefined;
      await suite.messenger.ask(personalityContract.forgetTurns, { turns });
    };
    await reflect();
    expect(await quirks()).toEqual([]);
    expect((await diary())[0]?.text).toContain('A quiet day');
  });

  it('names a habit in the diary for as long as somebody it comes from has not forgotten it', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    await reflect();
    const named = async () => (await diary())[0]!.text.includes('sourdough');
    const forget = (personId: string, own: string[]) =>
      suite.messenger.ask(personalityContract.forget, { ...forgetting(personId, []), turnIds: own });
    await forget(ana, [turnIds[0]!, turnIds[2]!]);
    expect(await named()).toBe(true);
    await forget(ben, [turnIds[1]!]);
    expect(await named()).toBe(false);
  });

  it.each(['forgotten', 'erased', 'said where the companion is no more'])(
    'names a habit that faded no longer in the diary once its turns are %s',
    async (how) => {
      const [ana, ben] = [randomUUID(), randomUUID()];
      const turns = [ana, ben, ana].map((personId) => {
        return { personId, turnId: turnOf(personId, 'I love sourdough!', AT, IN_CHANNEL) };
      });
      await appraise(...turns.map(({ turnId }) => turnId));
      await reflect();
      await reflect('2026-07-04');
      expect(await quirks()).toEqual([]);
      const text = async () => (await suite.stores.query<{ text: string }>(ENTRY))[0]!.text;
      expect(await text()).toContain('sourdough');
      if (how === 'forgotten') {
        const turnIds = turns.filter(({ personId }) => personId === ana).map(({ turnId }) => turnId);
        await suite.messenger.ask(personalityContract.forget, { ...forgetting(ana, []), turnIds });
      } else if (how === 'erased')
        await suite.messenger.ask(personalityContract.erase, { personId: ana, preview: false });
      else await suite.messenger.ask(personalityContract.forgetTurns, { turns });
      expect(await text()).not.toMatch(/sourdough|okay but first/);
      expect(await text()).toContain('3 exchanges with 2 people.');
    },
  );

  it('names no habit of two people again who forget it at once', async () => {
    const [ana, ben, cyn] = [randomUUID(), randomUUID(), randomUUID()];
    const soup = [ana, cyn, ana].map((one, n) =>
      turnOf(one, `I love ${['maps', 'rain', 'chess'][n]}!`, AT, IN_CHANNEL),
    );
    const clay = [ben, cyn, ben].map((one, n) =>
      turnOf(one, 'I love pottery!', AT, {
        audience: 'channel:discord:2',
        reply: ['Oh.', 'Yes.', 'Hm.'][n]!,
      }),
    );
    await appraise(...soup, ...clay);
    await reflect();
    await reflect('2026-07-04');
    const text = async () => (await suite.stores.query<{ text: string }>(ENTRY))[0]!.text;
    expect(await text()).toMatch(/okay but first[^]*pottery/);
    const forget = (personId: string, turnIds: string[]) =>
      suite.messenger.ask(personalityContract.forget, { ...forgetting(personId, []), turnIds });
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    const forgotten = await database.asSystem(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM diary_entries FOR UPDATE`;
      const both = Promise.all([forget(ana, soup), forget(ben, clay)]);
      await eventually('both wait for the entry', async () => {
        const [row] = await suite.stores.query<{ n: string }>(
          "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return row?.n === '2';
      });
      return { both };
    });
    await forgotten.both;
    await database.close();
    expect(await text()).not.toMatch(/okay but first|pottery/);
  });

  it('locks the diary once for all that is forgotten, in one order, as two who forget at once would deadlock', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const heard = (thing: string, at: Date) =>
      [ana, ben, ana].map((one, n) =>
        turnOf(one, `I love ${thing}!`, at, { ...IN_CHANNEL, reply: ['Oh.', 'Yes.', 'Hm.'][n]! }),
      );
    const faded = heard('pottery', AT);
    await appraise(...faded);
    await reflect();
    await reflect('2026-07-04');
    const held = heard('sourdough', new Date('2026-07-05T15:00:00Z'));
    await appraise(...held);
    await reflect('2026-07-05');
    const forget = (personId: string, turnIds: string[]) =>
      suite.messenger.ask(personalityContract.forget, { ...forgetting(personId, []), turnIds });
    await forget(ben, [held[1]!]);
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    const forgotten = await database.asSystem(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM diary_entries WHERE day = '2026-05-04' FOR UPDATE`;
      const last = forget(ana, [faded[0]!, faded[2]!, held[0]!, held[2]!]);
      await waiting(1);
      // Free, as the habit there is yet to be forgotten with the one that faded.
      await tx.$queryRaw`SELECT 1 FROM diary_entries WHERE day = '2026-07-05' FOR UPDATE NOWAIT`;
      return { last };
    });
    await forgotten.last;
    await database.close();
    expect(JSON.stringify(await diary())).not.toMatch(/pottery|sourdough/);
  });

  it('has a habit back only with what is not forgotten by another order', async () => {
    const ana = randomUUID();
    const others = [randomUUID(), randomUUID()].map((personId) => {
      return { personId, turnId: turnOf(personId, 'I love sourdough!', AT, IN_CHANNEL) };
    });
    const own = [1, 2].map(() => turnOf(ana, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...others.map(({ turnId }) => turnId), ...own);
    await reflect();
    await suite.messenger.ask(personalityContract.forgetTurns, { turns: others });
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const forget = async (turnIds: string[], over: { undoUntil: string | null } = { undoUntil }) => {
      const order = { ...forgetting(ana, []), turnIds, ...over };
      await suite.messenger.ask(personalityContract.forget, order);
      return () =>
        suite.messenger.ask(personalityContract.undoForget, { orderId: order.orderId, personId: ana });
    };
    const habits = async () =>
      (await quirks()).map(({ text }) => text).filter((text) => text === 'sourdough');
    const first = await forget([own[0]!]);
    const second = await forget([own[1]!]);
    expect(await habits()).toEqual([]);
    // Its habit went with the other.
    await first();
    expect(await habits()).toEqual([]);
    await second();
    expect(await habits()).toEqual(['sourdough']);
    const third = await forget([own[1]!]);
    await forget([own[1]!], { undoUntil: null });
    await third();
    expect(await habits()).toEqual([]);
  });

  it('has back what somebody undoes to forget though replies to it are forgotten by another, and waits for those', async () => {
    const people = [1, 2, 3, 4].map(() => randomUUID());
    const [ben, cyn, dee] = people as [string, string, string];
    const turnIds = people.map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    await reflect();
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const orders = [
      { ...forgetting(ben, []), turnIds: [turnIds[0]!], undoUntil },
      { ...forgetting(cyn, []), replyTurnIds: [turnIds[0]!, turnIds[2]!], undoUntil },
    ];
    for (const order of orders) await suite.messenger.ask(personalityContract.forget, order);
    const sources = () =>
      suite.stores.query(
        'SELECT text FROM quirk_sources JOIN quirks ON id = quirk_id WHERE person_id = $1 ORDER BY text',
        [ben],
      );
    expect(await sources()).toEqual([]);
    const undo = ({ orderId, personId }: (typeof orders)[number]) =>
      suite.messenger.ask(personalityContract.undoForget, { orderId, personId });
    await undo(orders[0]!);
    expect(await sources()).toEqual([{ text: 'sourdough' }]);
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    const undone = await database.asSystem(async (tx) => {
      await lockPeople(tx, [{ personId: dee }]);
      const last = undo(orders[1]!);
      await waiting(1);
      return { last };
    });
    await undone.last;
    await database.close();
  });

  it('shows nobody else what one person says alone with the companion', async () => {
    const ana = randomUUID();
    await appraise(...[1, 2, 3, 4].map(() => turnOf(ana, 'I love my secret telescope!', AT)));
    await reflect();
    expect(await quirks()).toEqual([]);
    const { moodBlock } = await compose(randomUUID(), new Date(`${DAY}T20:00:00Z`));
    expect(moodBlock).not.toContain('telescope');
    expect(JSON.stringify([await diary(), await notes()])).not.toContain('telescope');
  });

  it('shows a habit no more from when the persona vetoes it', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()];
    await appraise(...people.map((person) => turnOf(person, 'I love sourdough!', AT, IN_CHANNEL)));
    await reflect();
    const moodBlock = async () =>
      (await compose(randomUUID(), new Date(`${DAY}T20:00:00Z`), IN_CHANNEL.audience)).moodBlock;
    expect(await moodBlock()).toContain('sourdough');
    const putBack = await editQuirks({ veto: ['sourdough'] });
    expect(await moodBlock()).not.toContain('sourdough');
    await putBack();
  });

  it('goes by the persona as it was edited while the day was read', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()];
    const putBack = await editQuirks({ seeds: [{ kind: 'interest', text: 'sourdough', strength: 0.5 }] });
    const say = (text: string) => people.map((person) => turnOf(person, text, AT, IN_CHANNEL));
    await appraise(...say('I love sourdough!'), ...say('I love pottery!'));
    gateway.onRead = async () => {
      gateway.onRead = undefined;
      await editQuirks({ seeds: [], veto: ['pottery', 'sourdough'] });
    };
    await reflect();
    const held = await suite.stores.query<{ text: string }>(
      "SELECT text FROM quirks WHERE companion_id = 'mira'",
    );
    expect(held.map(({ text }) => text)).toEqual(['okay but first']);
    expect((await diary())[0]?.text).not.toMatch(/sourdough|pottery/);
    await putBack();
  });

  it('goes on where a night ended halfway, and feeds the quirks once', async () => {
    await appraise(turnOf(randomUUID(), 'thank you so much', AT));
    await suite.stores.query(
      `INSERT INTO reflections (companion_id, day, done) VALUES ('mira', '${DAY}', ARRAY['quirks', 'note'])`,
    );
    await reflect();
    expect(await notes()).toEqual([]);
    expect(await diary()).toHaveLength(1);
  });

  it('does not fade or feed quirks by a day that lies before one reflected on', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()];
    await appraise(...people.map((person) => turnOf(person, 'I love sourdough!', AT, IN_CHANNEL)));
    await reflect();
    const before = await quirks();
    await reflect('2026-05-02');
    expect(await quirks()).toEqual(before);
    await reflect('2026-05-14');
    expect((await quirks())[1]?.strength).toBeCloseTo(0.15, 9);
  });

  it('goes on with habits once a clock that was a year ahead is right again', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()];
    const say = (at: Date) => people.map((person) => turnOf(person, 'I love sourdough!', at, IN_CHANNEL));
    await appraise(...say(AT));
    await reflect();
    const [, before] = await quirks();
    const ahead = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString().slice(0, 10);
    await suite.stores.query('UPDATE quirks SET day = $1', [ahead]);
    await suite.stores.query(
      "INSERT INTO reflections (companion_id, day, done) VALUES ('mira', $1, ARRAY['quirks'])",
      [ahead],
    );
    await appraise(...say(new Date('2026-05-05T15:00:00Z')));
    await reflect('2026-05-05');
    const [, fed] = await quirks();
    expect(fed!.strength).toBeGreaterThan(before!.strength);
    await reflect('2026-05-15');
    expect((await quirks())[1]?.strength).toBeCloseTo(fed!.strength / 2, 9);
  });

  it('reflects anew on days that a clock that was ahead reflected on', async () => {
    const people = [randomUUID(), randomUUID(), randomUUID()];
    await appraise(...people.map((person) => turnOf(person, 'I love sourdough!', AT, IN_CHANNEL)));
    const ahead = new Date(Date.now() + 2 * 24 * 3_600_000).toISOString();
    for (const day of [DAY, ahead.slice(0, 10)]) {
      await suite.stores.query(
        `INSERT INTO reflections (companion_id, day, done, finished_at)
         VALUES ('mira', $1, ARRAY['quirks', 'note', 'diary'], $2)`,
        [day, ahead],
      );
      await suite.stores.query(
        "INSERT INTO diary_entries (companion_id, day, text) VALUES ('mira', $1, 'Empty.')",
        [day],
      );
    }
    await reflect();
    expect(await quirks()).toHaveLength(2);
    expect(await suite.stores.query('SELECT day::text FROM diary_entries')).toEqual([{ day: DAY }]);
  });

  // Its job stays behind.
  it('has a day wait that lies ahead, with the hopes that would be too old then', async () => {
    await appraise(turnOf(randomUUID(), "I'm worried about the exam tomorrow", new Date()));
    const hopes = () => suite.stores.query('SELECT about FROM prospects');
    expect(await hopes()).toHaveLength(1);
    const ahead = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString().slice(0, 10);
    // Nor does anything go that was written of such a day: it may be Postgres' clock that is behind.
    await suite.stores.query(
      "INSERT INTO diary_entries (companion_id, day, text) VALUES ('mira', $1, 'Kept.')",
      [ahead],
    );
    await suite.messenger.enqueue(personalityContract.reflect, utcDay(ahead));
    await eventually(
      'the day waits',
      async () => (await suite.messenger.jobs.counts(personalityContract.reflect))['delayed'] === 1,
    );
    expect([await notes(), await diary()]).toEqual([[], [{ text: 'Kept.' }]]);
    expect(await hopes()).toHaveLength(1);
  });
});
