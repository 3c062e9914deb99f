import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { personalityContract } from '@kith/contracts';
import { Database } from '@kith/database';
import { eventually } from '@kith/testing';
import { PersonalitySuite, gateway, hoursAgo, memory, utcDay } from './e2e/personality-suite.js';
import { MAX_PERSON_INFLUENCE } from './affect/mood/move-mood.js';
import { MAX_NEED_PULL } from './affect/needs/need-pull.js';

const suite = new PersonalitySuite();
const { appraise, compose, mood, turnOf } = suite;
beforeAll(() => suite.start());
afterEach(() => suite.empty());
afterAll(() => suite.stop());

describe('companions', () => {
  it('are answered one and all, and an unknown id with those there are', async () => {
    const { companions } = await suite.messenger.ask(personalityContract.companions, {});
    expect(companions.map(({ id }) => id)).toEqual(['mira', 'odo', 'pip']);
    expect(companions[0]).toEqual(
      await suite.messenger.ask(personalityContract.companion, { companionId: 'mira' }),
    );
    expect(companions[0]).toMatchObject({ id: 'mira', name: 'Mira', version: 1 });
    await expect(
      suite.messenger.ask(personalityContract.companion, { companionId: 'nobody' }),
    ).rejects.toMatchObject({ code: 'not_found', details: { companions: ['mira', 'odo', 'pip'] } });
  });
});

describe('composing', () => {
  it('gives a stranger the baseline, and both blocks of the prompt', async () => {
    const { companion, personaBlock, moodBlock, mood: felt, bond } = await compose(randomUUID());
    expect(companion.id).toBe('mira');
    expect(personaBlock).toContain('You are Mira, an AI companion');
    expect(moodBlock.split('\n').at(0)).toBe('<mood>');
    expect(moodBlock.split('\n').at(-1)).toBe('</mood>');
    expect(felt.label).toBe('relaxed');
    expect(bond).toMatchObject({ familiarity: 0, interactions: 0, firstMetAt: null });
  });

  it('shows what was said in mood and bond, and what the day before was like', async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'thank you so much, you are wonderful'));
    const yesterday = hoursAgo(24).toISOString().slice(0, 10);
    await suite.messenger.enqueue(personalityContract.reflect, utcDay(yesterday));
    await eventually('the note', async () => (await suite.stores.query('SELECT * FROM self_notes'))[0]);
    const before = await mood();
    const { mood: felt, moodBlock, bond } = await compose(ana);
    expect(felt.pad.p).toBeGreaterThan(before.baseline.p);
    expect(felt.pad.p).toBeGreaterThan(before.now.pad.p);
    expect(moodBlock).toContain('A quiet day; nothing moved me much.');
    expect(bond.interactions).toBe(1);
    expect(bond.affection).toBeGreaterThan(0.5);
  });
});

describe('a companion that lives far from Greenwich', () => {
  it('knows the note on its own day before', async () => {
    const which = { companionId: 'pip' };
    const { persona } = await suite.messenger.ask(personalityContract.persona, which);
    await suite.messenger.ask(personalityContract.editPersona, {
      ...which,
      persona: { ...persona, timeZone: 'Pacific/Auckland' },
    });
    for (const day of ['2026-01-13', '2026-01-14'])
      await suite.stores.query('INSERT INTO self_notes (companion_id, day, text) VALUES ($1, $2, $3)', [
        which.companionId,
        day,
        `It was ${day}.`,
      ]);
    const asked = { ...which, personId: randomUUID(), audience: 'direct' as const };
    const noteAt = async (now: string) =>
      /It was (.*)\./.exec(
        (await suite.messenger.ask(personalityContract.compose, { ...asked, now })).moodBlock,
      )?.[1];
    // Nine in the morning of the 15th, and eleven in the evening of the 14th.
    expect(await noteAt('2026-01-14T20:00:00.000Z')).toBe('2026-01-14');
    expect(await noteAt('2026-01-14T10:00:00.000Z')).toBe('2026-01-13');
  });
});

describe('appraising', () => {
  it('moves the mood once, however often the turn is handed in', async () => {
    const ana = randomUUID();
    const turnId = turnOf(ana, 'you are so helpful, thank you');
    await appraise(turnId);
    await eventually('the mood announced', () => gateway.moods.length > 0);
    const first = await suite.stores.query('SELECT * FROM moods');
    await suite.handInAgain(turnId);
    await eventually('the repeat announced', () => gateway.moods.length > 1);
    expect(await suite.stores.query('SELECT * FROM moods')).toEqual(first);
    expect((await compose(ana)).bond.interactions).toBe(1);
    expect(gateway.moods[1]).toEqual(gateway.moods[0]);
  });

  it('keeps nothing of private talk: no feeling, no bond, no need that was met', async () => {
    const ana = randomUUID();
    memory.private.add(ana);
    await appraise(turnOf(ana, 'thank you so much, you are wonderful'));
    for (const table of ['affect_events', 'felt_turns', 'relationships', 'moods']) {
      expect(await suite.stores.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    expect(gateway.moods).toEqual([]);
  });

  it('appraises what the person said, and not what the companion did', async () => {
    await appraise(turnOf(randomUUID(), 'what time is it in lisbon'));
    expect(await suite.stores.query('SELECT 1 FROM affect_events')).toEqual([]);
  });

  it('says which turns it has not handled yet', async () => {
    const [done, open] = [turnOf(randomUUID(), 'good morning'), randomUUID()];
    await appraise(done);
    const asked = await suite.messenger.ask(personalityContract.unfinished, { turnIds: [done, open] });
    expect(asked).toEqual({ unfinished: [open], dead: [] });
  });

  it('does not let a turn whose rows stay locked hold back the others of its job', async () => {
    const [free, held] = [turnOf(randomUUID(), 'good morning'), turnOf(randomUUID(), 'good morning')];
    const database = new Database({ url: suite.stores.databaseUrl, poolSize: 1 });
    await database.write('system', async (tx) => {
      await tx.$executeRaw`
        INSERT INTO personality_handled_turns (turn_id, person_id) VALUES (${held}::uuid, gen_random_uuid())`;
      await suite.messenger.enqueue(personalityContract.appraise, { turnIds: [free, held] });
      // Asked here, as a transaction that is left alone ends.
      await eventually(
        'the other felt',
        async () =>
          (await tx.$queryRaw<unknown[]>`SELECT 1 FROM felt_turns WHERE turn_id = ${free}::uuid`)[0],
      );
      await tx.$executeRaw`DELETE FROM personality_handled_turns WHERE turn_id = ${held}::uuid`;
    });
    await database.close();
    await eventually(
      'it follows',
      async () => (await suite.stores.query('SELECT 1 FROM felt_turns WHERE turn_id = $1', [held]))[0],
    );
  });

  it('loses none of the changes that come at once', async () => {
    const ana = randomUUID();
    const turns = Array.from({ length: 12 }, () => turnOf(ana, 'thank you so much'));
    await appraise(...turns);
    const { bond } = await compose(ana);
    expect(bond.interactions).toBe(12);
    // Each took its own step from where the one before had left it.
    expect(bond.familiarity).toBeCloseTo(1 - 0.98 ** 12, 9);
  });

  it('bounds what a flood of hostility from one person does to the others', async () => {
    const troll = randomUUID();
    const flood = Array.from({ length: 60 }, () => turnOf(troll, 'I HATE YOU! you are a useless idiot'));
    await appraise(...flood);
    const { now, baseline } = await mood();
    for (const axis of ['p', 'a', 'd'] as const) {
      expect(Math.abs(now.pad[axis] - baseline[axis])).toBeLessThanOrEqual(
        MAX_PERSON_INFLUENCE + MAX_NEED_PULL + 1e-9,
      );
    }
    const [towardsTroll, towardsOther] = await Promise.all([compose(troll), compose(randomUUID())]);
    expect(towardsTroll.mood.pad.p).toBeLessThan(towardsOther.mood.pad.p - 0.2);
    expect(towardsTroll.bond.trust).toBeLessThan(0.1);
    expect(towardsOther.bond.trust).toBe(0.5);
  });

  it("builds the bond from an imported conversation and leaves today's mood alone", async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'I love you, Mira'));
    const before = await suite.stores.query('SELECT * FROM moods');
    const longAgo = hoursAgo(24 * 300);
    await appraise(turnOf(ana, 'you are a useless idiot', longAgo));
    expect(await suite.stores.query('SELECT * FROM moods')).toEqual(before);
    const { bond } = await compose(ana);
    expect(bond).toMatchObject({ interactions: 2, firstMetAt: longAgo.toISOString() });
    const { series } = await mood({ personId: ana, from: hoursAgo(24 * 301).toISOString() });
    expect(series.filter(({ emotion }) => emotion).map(({ emotion }) => emotion)).toEqual(['love']);
  });
});

describe('a bond', () => {
  it('is strained by a quarrel, for days, and its log holds the bond that each turn left', async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'I HATE YOU! you are a useless idiot'));
    await appraise(turnOf(ana, 'I HATE YOU! you are a useless idiot'));
    const { bond, moodBlock } = await compose(ana);
    expect(bond.stage).toBe('strained');
    expect(bond.milestones.map(({ kind }) => kind)).toEqual(['first-meeting']);
    expect(moodBlock).toContain('address civil and plain');
    const nextWeek = await compose(ana, new Date(Date.now() + 7 * 24 * 3_600_000));
    expect(nextWeek.bond.stage).toBe('stranger');
    const log = await suite.stores.query<{ bond: { interactions: number; tension: number } }>(
      'SELECT bond FROM felt_turns ORDER BY id',
    );
    expect(log.map(({ bond }) => bond.interactions)).toEqual([1, 2]);
    expect(log[1]?.bond.tension).toBeGreaterThan(0.5);
  });
});

describe('needs', () => {
  const needs = async (now = new Date(), viewer: string | null = null) => {
    const answer = await suite.messenger.ask(personalityContract.needs, {
      companionId: 'mira',
      viewer,
      now: now.toISOString(),
    });
    return Object.fromEntries(answer.needs.map((view) => [view.need, view]));
  };

  it('grow with time, and are met by what is said, once a turn', async () => {
    const turnId = turnOf(randomUUID(), 'my dog died this morning');
    await appraise(turnId);
    const after = await needs();
    expect(after['care']?.level).toBeLessThan(0.25);
    expect(after['belonging']?.level).toBeLessThan(0.3);
    await suite.handInAgain(turnId);
    await eventually('the repeat announced', () => gateway.moods.length > 1);
    const weeksLater = await needs(new Date(Date.now() + 60 * 24 * 3_600_000));
    expect(weeksLater['care']?.level).toBeGreaterThan(0.9);
    expect(weeksLater['care']?.urgency).toBeGreaterThan(0.3);
    const hour = 3_600_000;
    const endOfHour = new Date((Math.floor(Date.now() / hour) + 1) * hour);
    const stranger = randomUUID();
    expect((await needs(new Date(endOfHour.getTime() - 1), stranger))['care']?.level).toBeCloseTo(0.3, 2);
    expect((await needs(endOfHour, stranger))['care']?.level).toBeLessThan(0.27);
    expect(await suite.stores.query('SELECT turn_id, version FROM felt_turns')).toEqual([
      { turn_id: turnId, version: 1 },
    ]);
  });

  it('colour the mood that everybody meets, and its course to the same point', async () => {
    await appraise(turnOf(randomUUID(), 'what time is it in lisbon'));
    const later = new Date(Date.now() + 30 * 24 * 3_600_000);
    const request = { companionId: 'mira', from: new Date().toISOString(), to: later.toISOString() };
    const course = await suite.messenger.ask(personalityContract.mood, {
      ...request,
      now: later.toISOString(),
    });
    expect(course.now.pad.p).toBeLessThan(course.baseline.p - 0.05);
    expect(course.now.pad.p).toBeGreaterThanOrEqual(course.baseline.p - MAX_NEED_PULL - 1e-9);
    expect(course.series.at(-1)?.pad).toEqual(course.now.pad);
    expect((await compose(randomUUID(), later)).mood.pad).toEqual(course.now.pad);
  });
});

describe('the course of the mood', () => {
  it('shows what moved it, the decay since, and how it is towards a person', async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'you are a useless idiot', hoursAgo(12)));
    const ben = randomUUID();
    const [shared, felt, seen] = await Promise.all([
      mood(),
      mood({ personId: ana }),
      mood({ personId: ben }),
    ]);
    expect(shared.bond).toBeNull();
    expect(felt.bond?.interactions).toBe(1);
    expect(shared.halfLifeMs).toBe(6 * 3_600_000);
    expect(shared.series.length).toBeLessThanOrEqual(200);
    const { p: rest } = shared.baseline;
    const dip = Math.min(...shared.series.map(({ pad }) => pad.p));
    expect(dip).toBeLessThan(rest);
    const dipTowardsAna = felt.series.find(({ emotion }) => emotion === 'anger')?.pad.p ?? NaN;
    expect(dipTowardsAna).toBeLessThan(dip);
    // Two half-lives on, a quarter of the dip is left.
    expect((felt.now.pad.p - rest) / (dipTowardsAna - rest)).toBeCloseTo(0.25, 2);
    expect(felt.series.at(-1)?.pad.p).toBeCloseTo(felt.now.pad.p, 9);
    expect([...seen.series, ...shared.series].every(({ emotion }) => emotion === null)).toBe(true);
    // How it is towards Ana is in what Ben is shown as little as in what he meets.
    const now = new Date();
    const met = (await compose(ben, now)).mood.pad;
    expect((await mood({ personId: ben, now: now.toISOString() })).now.pad).toEqual(met);
  });

  it('begins where no event is lacking, with more of them than are read', async () => {
    const first = hoursAgo(48);
    await suite.stores.query(
      `INSERT INTO affect_events (companion_id, person_id, turn_id, appraisal, emotion, intensity, appraiser, p, a, d, at)
       SELECT 'mira', gen_random_uuid(), gen_random_uuid(), '{}', 'anger', 0.5, 'rules', -0.5, 0, 0,
         $1::timestamptz + n * interval '1 minute'
       FROM generate_series(0, 2500) AS n`,
      [first],
    );
    const { series } = await mood({ from: hoursAgo(24 * 5).toISOString() });
    const begin = Date.parse(series[0]!.at);
    expect(begin).toBeGreaterThan(first.getTime() + 500 * 60_000);
    expect(begin % 3_600_000).toBe(0);
    // The latest that was seen by then, faded for an hour.
    expect(series[0]!.pad.p).toBeLessThan(-0.35);
  });

  it('shows nobody what was felt at the turn of somebody else, nor its minute, in however narrow a period', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    // 20 minutes into an hour of yesterday.
    const at = new Date(Math.floor(hoursAgo(24).getTime() / 3_600_000) * 3_600_000 + 20 * 60_000);
    await appraise(turnOf(ana, 'my dog died this morning', at));
    const within = async (personId: string, from: number, to: number) =>
      mood({
        personId,
        from: new Date(at.getTime() + from * 60_000).toISOString(),
        to: new Date(at.getTime() + to * 60_000).toISOString(),
      });
    expect(JSON.stringify((await within(ana, -5, 5)).series)).toContain('pity');
    const around = await within(ben, -5, 5);
    expect(around.series.every(({ emotion, intensity }) => emotion === null && intensity === null)).toBe(
      true,
    );
    expect(new Set(around.series.map(({ pad }) => pad.p)).size).toBe(1);
    const hours = await within(ben, -60, 120);
    const values = hours.series.map(({ at, pad }) => [Date.parse(at), pad.p] as const);
    const first = values.find(([, p]) => p !== values[0]![1]);
    // The jump lies where the hour ends, whatever minute of it was the turn's.
    expect(first![0]).toBeGreaterThanOrEqual(at.getTime() + 40 * 60_000);
    expect(first![0]).toBeLessThan(at.getTime() + 45 * 60_000);
    const asSoon = await suite.messenger.ask(personalityContract.mood, {
      companionId: 'mira',
      personId: ben,
      now: new Date(at.getTime() + 60_000).toISOString(),
    });
    expect(asSoon.now.pad.p).toBe(asSoon.baseline.p);
  });
});
