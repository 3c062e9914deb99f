import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Global,
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import {
  gatewayContract,
  memoryContract,
  personalityContract,
  type PayloadOutput,
  type ReadTurn,
  type RequestOutput,
} from '@kith/contracts';
import { Answers, Hears, Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, LOGGER } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { eventually, freshStores, type FreshStores, ifStarted } from '@kith/testing';
import { Registry } from 'prom-client';
import { AppModule } from './app.module.js';
import { settings } from './config.js';
import { MAX_PERSON_INFLUENCE } from './affect/mood/mood-dynamics.js';
import { MAX_NEED_PULL } from './affect/needs/needs.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Said {
  personId: string;
  text: string;
  at: string;
  audience: string;
  reply: string;
}

const messageOf = (turnId: string): string => `message-${turnId}`;

/** Texts of each turn, and the moods that were announced. */
const gateway = {
  said: new Map<string, Said>(),
  moods: [] as PayloadOutput<typeof personalityContract.moodChanged>[],
};

/** People who talk in private. */
const memory = { private: new Set<string>() };

@Controller()
class GatewayDouble {
  @Answers(gatewayContract.readTurns)
  onReadTurns({ turnIds }: RequestOutput<typeof gatewayContract.readTurns>) {
    return { turns: turnIds.map((turnId) => this.turn(turnId)) };
  }

  private turn(turnId: string): ReadTurn {
    const { personId, text, at, audience, reply } = gateway.said.get(turnId)!;
    return {
      turnId,
      personId,
      conversationId: personId,
      companionId: 'mira',
      displayName: 'Ana',
      door: 'http' as const,
      audience,
      outcome: 'answered' as const,
      origin: 'message' as const,
      endedAt: at,
      messages: [
        { role: 'person' as const, personId, externalId: messageOf(turnId), text, at },
        { role: 'companion' as const, personId: null, externalId: null, text: reply, at },
      ],
    };
  }

  @Hears(personalityContract.moodChanged)
  async onMoodChanged(event: PayloadOutput<typeof personalityContract.moodChanged>) {
    gateway.moods.push(event);
  }
}

@Global()
@Module({
  providers: [
    { provide: HealthChecks, useFactory: () => new HealthChecks('personality') },
    { provide: DegradedStates, useFactory: () => new DegradedStates(new Registry()) },
    { provide: LOGGER, useValue: silent },
  ],
  exports: [HealthChecks, DegradedStates, LOGGER],
})
class Host {}

@Controller()
class MemoryDouble {
  @Answers(memoryContract.wasPrivate)
  onWasPrivate({ turns }: RequestOutput<typeof memoryContract.wasPrivate>) {
    return { wasPrivate: turns.map(({ personId }) => memory.private.has(personId)) };
  }
}

@Module({ controllers: [GatewayDouble, MemoryDouble] })
class Gateway {}

let stores: FreshStores;
let service: INestApplicationContext;
let others: INestApplicationContext;
let messenger: Messenger;

async function start(group: string, module: DynamicModule | Type) {
  @Module({
    imports: [
      Host,
      MessagingModule.forRoot({ service: group, redisUrl: stores.redisUrl, logger: silent }),
      module,
    ],
  })
  class Root {}
  const strategy = new StreamsServer({ redisUrl: stores.redisUrl, group, logger: silent });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(Root, {
    strategy,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  return app;
}

/** The application under the given settings, as `main.ts` starts it. */
const startService = (environment: Record<string, string> = {}) =>
  start(
    'personality',
    AppModule.with(
      readSettings(settings, {
        REDIS_URL: stores.redisUrl,
        DATABASE_URL: stores.databaseUrl,
        DATABASE_POOL_SIZE: '6',
        ...environment,
      }),
    ),
  );

beforeAll(async () => {
  stores = await freshStores();
  others = await start('gateway', Gateway);
  service = await startService();
  messenger = others.get(Messenger);
  await eventually('companions registered', () =>
    messenger.ask(personalityContract.companions, {}).catch(() => null),
  );
});

afterEach(async () => {
  gateway.moods.length = 0;
  await stores.query(
    'TRUNCATE moods, needs, felt_turns, affect_events, relationships, self_notes, personality_handled_turns, reflections, quirks, quirk_sources, diary_entries, diary_sources, shared_jokes, prospects',
  );
});

afterAll(async () => {
  await ifStarted(service)?.close();
  await ifStarted(others)?.close();
  await ifStarted(stores)?.stop();
});

const turnOf = (personId: string, text: string, at = new Date(), elsewhere: Partial<Said> = {}): string => {
  const turnId = randomUUID();
  gateway.said.set(turnId, {
    ...{ personId, text, at: at.toISOString(), audience: 'direct', reply: 'you idiot', ...elsewhere },
  });
  return turnId;
};

const recordedTurns = async () =>
  Number((await stores.query<{ n: string }>('SELECT count(*) AS n FROM personality_handled_turns'))[0]?.n);

/** Orders the appraisal of turns, and waits until each has been recorded. */
async function appraise(...turnIds: string[]): Promise<void> {
  const before = await recordedTurns();
  for (const turnId of turnIds) await messenger.enqueue(personalityContract.appraise, { turnIds: [turnId] });
  await eventually(
    `${turnIds.length} turns recorded`,
    async () => (await recordedTurns()) >= before + turnIds.length,
  );
}

const compose = (personId: string, now = new Date(), audience = 'direct') =>
  messenger.ask(personalityContract.compose, {
    ...{ companionId: 'mira', personId, audience, now: now.toISOString() },
  });

const mood = (request: { personId?: string; from?: string; to?: string } = {}) =>
  messenger.ask(personalityContract.mood, { companionId: 'mira', now: new Date().toISOString(), ...request });

const utcDay = (day: string) => {
  const from = `${day}T00:00:00.000Z`;
  return { companionId: 'mira', day, from, to: new Date(Date.parse(from) + 24 * 3_600_000).toISOString() };
};
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

describe('companions', () => {
  it('are answered one and all, and an unknown id with those there are', async () => {
    const { companions } = await messenger.ask(personalityContract.companions, {});
    expect(companions.map(({ id }) => id)).toEqual(['mira', 'odo', 'pip']);
    expect(companions[0]).toEqual(
      await messenger.ask(personalityContract.companion, { companionId: 'mira' }),
    );
    expect(companions[0]).toMatchObject({ id: 'mira', name: 'Mira', version: 1 });
    await expect(
      messenger.ask(personalityContract.companion, { companionId: 'nobody' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: { companions: ['mira', 'odo', 'pip'] },
    });
  });
});

describe('composing', () => {
  it('gives a stranger the baseline, and both blocks of the prompt', async () => {
    const { companion, personaBlock, moodBlock, mood: felt, relationship } = await compose(randomUUID());
    expect(companion.id).toBe('mira');
    expect(personaBlock).toContain('You are Mira, an AI companion');
    expect(moodBlock.split('\n').at(0)).toBe('<mood>');
    expect(moodBlock.split('\n').at(-1)).toBe('</mood>');
    expect(felt.label).toBe('relaxed');
    expect(relationship).toMatchObject({ familiarity: 0, interactions: 0, firstMetAt: null });
  });

  it('shows what was said in mood and bond, and what the day before was like', async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'thank you so much, you are wonderful'));
    const yesterday = hoursAgo(24).toISOString().slice(0, 10);
    await messenger.enqueue(personalityContract.reflect, utcDay(yesterday));
    await eventually('the note', async () => (await stores.query('SELECT * FROM self_notes'))[0]);
    const before = await mood();
    const { mood: felt, moodBlock, relationship } = await compose(ana);
    expect(felt.pad.p).toBeGreaterThan(before.baseline.p);
    expect(felt.pad.p).toBeGreaterThan(before.now.pad.p);
    expect(moodBlock).toContain('A quiet day; nothing moved me much.');
    expect(relationship.interactions).toBe(1);
    expect(relationship.affection).toBeGreaterThan(0.5);
  });
});

describe('appraising', () => {
  it('moves the mood once, however often the turn is handed in', async () => {
    const ana = randomUUID();
    const turnId = turnOf(ana, 'you are so helpful, thank you');
    await appraise(turnId);
    await eventually('the mood announced', () => gateway.moods.length > 0);
    const first = await stores.query('SELECT * FROM moods');
    await messenger.enqueue(personalityContract.appraise, { turnIds: [turnId] });
    await eventually('the repeat announced', () => gateway.moods.length > 1);
    expect(await stores.query('SELECT * FROM moods')).toEqual(first);
    expect((await compose(ana)).relationship.interactions).toBe(1);
    expect(gateway.moods[1]).toEqual(gateway.moods[0]);
  });

  it('keeps nothing of private talk: no feeling, no bond, no need that was met', async () => {
    const ana = randomUUID();
    memory.private.add(ana);
    await appraise(turnOf(ana, 'thank you so much, you are wonderful'));
    for (const table of ['affect_events', 'felt_turns', 'relationships', 'moods']) {
      expect(await stores.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    expect(gateway.moods).toEqual([]);
  });

  it('appraises what the person said, and not what the companion did', async () => {
    await appraise(turnOf(randomUUID(), 'what time is it in lisbon'));
    expect(await stores.query('SELECT 1 FROM affect_events')).toEqual([]);
  });

  it('says which turns it has not handled yet', async () => {
    const [done, open] = [turnOf(randomUUID(), 'good morning'), randomUUID()];
    await appraise(done);
    const asked = await messenger.ask(personalityContract.unfinished, { turnIds: [done, open] });
    expect(asked).toEqual({ unfinished: [open], dead: [] });
  });

  it('loses none of the changes that come at once', async () => {
    const ana = randomUUID();
    const turns = Array.from({ length: 12 }, () => turnOf(ana, 'thank you so much'));
    await appraise(...turns);
    const { relationship } = await compose(ana);
    expect(relationship.interactions).toBe(12);
    // Each took its own step from where the one before had left it.
    expect(relationship.familiarity).toBeCloseTo(1 - 0.98 ** 12, 9);
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
    expect(towardsTroll.relationship.trust).toBeLessThan(0.1);
    expect(towardsOther.relationship.trust).toBe(0.5);
  });

  it("builds the bond from an imported conversation and leaves today's mood alone", async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'I love you, Mira'));
    const before = await stores.query('SELECT * FROM moods');
    const longAgo = hoursAgo(24 * 300);
    await appraise(turnOf(ana, 'you are a useless idiot', longAgo));
    expect(await stores.query('SELECT * FROM moods')).toEqual(before);
    const { relationship } = await compose(ana);
    expect(relationship).toMatchObject({ interactions: 2, firstMetAt: longAgo.toISOString() });
    const { series } = await mood({ personId: ana, from: hoursAgo(24 * 301).toISOString() });
    expect(series.filter(({ emotion }) => emotion).map(({ emotion }) => emotion)).toEqual(['love']);
  });
});

describe('a relationship', () => {
  it('is strained by a quarrel, for days, and its log holds the bond that each turn left', async () => {
    const ana = randomUUID();
    await appraise(turnOf(ana, 'I HATE YOU! you are a useless idiot'));
    await appraise(turnOf(ana, 'I HATE YOU! you are a useless idiot'));
    const { relationship, moodBlock } = await compose(ana);
    expect(relationship.stage).toBe('strained');
    expect(relationship.milestones.map(({ kind }) => kind)).toEqual(['first-meeting']);
    expect(moodBlock).toContain('address civil and plain');
    const nextWeek = await compose(ana, new Date(Date.now() + 7 * 24 * 3_600_000));
    expect(nextWeek.relationship.stage).toBe('stranger');
    const log = await stores.query<{ bond: { interactions: number; tension: number } }>(
      'SELECT bond FROM felt_turns ORDER BY id',
    );
    expect(log.map(({ bond }) => bond.interactions)).toEqual([1, 2]);
    expect(log[1]?.bond.tension).toBeGreaterThan(0.5);
  });
});

describe('needs', () => {
  const needs = async (now = new Date(), viewer: string | null = null) => {
    const answer = await messenger.ask(personalityContract.needs, {
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
    await messenger.enqueue(personalityContract.appraise, { turnIds: [turnId] });
    await eventually('the repeat announced', () => gateway.moods.length > 1);
    const weeksLater = await needs(new Date(Date.now() + 60 * 24 * 3_600_000));
    expect(weeksLater['care']?.level).toBeGreaterThan(0.9);
    expect(weeksLater['care']?.urgency).toBeGreaterThan(0.3);
    const hour = 3_600_000;
    const endOfHour = new Date((Math.floor(Date.now() / hour) + 1) * hour);
    const stranger = randomUUID();
    expect((await needs(new Date(endOfHour.getTime() - 1), stranger))['care']?.level).toBeCloseTo(0.3, 2);
    expect((await needs(endOfHour, stranger))['care']?.level).toBeLessThan(0.27);
    expect(await stores.query('SELECT turn_id, version FROM felt_turns')).toEqual([
      { turn_id: turnId, version: 1 },
    ]);
  });

  it('colour the mood that everybody meets, and its course to the same point', async () => {
    await appraise(turnOf(randomUUID(), 'what time is it in lisbon'));
    const later = new Date(Date.now() + 30 * 24 * 3_600_000);
    const request = { companionId: 'mira', from: new Date().toISOString(), to: later.toISOString() };
    const course = await messenger.ask(personalityContract.mood, { ...request, now: later.toISOString() });
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
    expect(shared.relationship).toBeNull();
    expect(felt.relationship?.interactions).toBe(1);
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
    const asSoon = await messenger.ask(personalityContract.mood, {
      ...{ companionId: 'mira', personId: ben, now: new Date(at.getTime() + 60_000).toISOString() },
    });
    expect(asSoon.now.pad.p).toBe(asSoon.baseline.p);
  });
});

describe('reflecting', () => {
  const DAY = '2026-05-04';
  const AT = new Date(`${DAY}T15:00:00Z`);
  const IN_CHANNEL = { audience: 'channel:discord:1', reply: 'Okay but first, soup.' };
  const notes = () => stores.query<{ text: string; day: Date }>('SELECT text, day FROM self_notes');
  const diary = () => stores.query<{ text: string }>('SELECT text FROM diary_entries');
  const quirks = () =>
    stores.query<{ kind: string; text: string; strength: number }>(
      "SELECT kind, text, strength FROM quirks WHERE origin = 'reflection' ORDER BY text",
    );

  /** Orders the night over a day, and waits until it is over. */
  async function reflect(day = DAY, span: { from?: string; to?: string } = {}): Promise<void> {
    await messenger.enqueue(personalityContract.reflect, { ...utcDay(day), ...span });
    await eventually(
      `${day} reflected on`,
      async () =>
        (await stores.query(`SELECT 1 FROM reflections WHERE day = '${day}' AND finished_at IS NOT NULL`))[0],
    );
    await eventually('no job left', async () => {
      const counts = await messenger.countJobs(personalityContract.reflect);
      return (counts['active'] ?? 0) + (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) === 0;
    });
  }

  it('writes one note and one diary entry a day, the same when repeated, without a word of anyone', async () => {
    const turnId = turnOf(randomUUID(), 'thank you, my sister Philippa will be so happy', AT);
    await appraise(turnId);
    await reflect();
    const first = { notes: await notes(), diary: await diary() };
    expect(first.notes[0]?.text).toMatch(
      /^I talked with one person\. I ended the day [a-z -]+(, lighter than I began it)?\.$/,
    );
    expect(first.diary[0]?.text).toContain('There was kindness [1].');
    expect(JSON.stringify(first)).not.toContain('Philippa');
    expect(await stores.query('SELECT number, turn_id FROM diary_sources')).toEqual([
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
    expect(await stores.query('SELECT turn_id FROM diary_sources')).toEqual([{ turn_id: turnId }]);
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
    const sources = await stores.query<{ turn_id: string }>(
      "SELECT turn_id FROM quirk_sources s JOIN quirks q ON q.id = s.quirk_id WHERE q.text = 'sourdough'",
    );
    expect(sources.map(({ turn_id }) => turn_id).sort()).toEqual([...turns].sort());
    expect((await diary())[0]?.text).toContain('coming back to sourdough [');
    await reflect();
    expect(await quirks()).toEqual(picked);
    const { moodBlock } = await compose(randomUUID(), new Date(`${DAY}T20:00:00Z`));
    expect(moodBlock).toContain('Lately I like to come back to: sourdough.');
  });

  it('keeps of turns that are forgotten no feeling, no source, and no habit that comes from them alone', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    const elsewhere = turnOf(ben, 'thank you', AT, { ...IN_CHANNEL, audience: 'channel:discord:2' });
    await appraise(...turnIds, elsewhere);
    await reflect();
    const habits = async () => (await quirks()).map(({ text }) => text);
    expect(await habits()).toEqual(['okay but first', 'sourdough']);
    await messenger.ask(personalityContract.forgetTurns, { turnIds });
    expect(await habits()).toEqual(['okay but first']);
    expect((await diary())[0]?.text).not.toContain('sourdough');
    expect((await diary())[0]?.text).toContain('okay but first');
    for (const table of ['felt_turns', 'affect_events', 'quirk_sources', 'diary_sources']) {
      const rows = await stores.query<{ turn_id: string }>(`SELECT DISTINCT turn_id FROM ${table}`);
      expect([table, rows]).toEqual([table, [{ turn_id: elsewhere }]]);
    }
    expect(await messenger.ask(personalityContract.forgetTurns, { turnIds })).toEqual({ rows: 0 });
  });

  it('names a habit in the diary for as long as somebody it comes from has not forgotten it', async () => {
    const [ana, ben] = [randomUUID(), randomUUID()];
    const turnIds = [ana, ben, ana].map((one) => turnOf(one, 'I love sourdough!', AT, IN_CHANNEL));
    await appraise(...turnIds);
    await reflect();
    const named = async () => (await diary())[0]!.text.includes('sourdough');
    const forget = (personId: string, own: string[]) =>
      messenger.ask(personalityContract.forget, { ...forgetting(personId, []), turnIds: own });
    await forget(ana, [turnIds[0]!, turnIds[2]!]);
    expect(await named()).toBe(true);
    await forget(ben, [turnIds[1]!]);
    expect(await named()).toBe(false);
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

  it('goes on where a night ended halfway, and feeds the quirks once', async () => {
    await appraise(turnOf(randomUUID(), 'thank you so much', AT));
    await stores.query(
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
});

describe('a shared joke', () => {
  const laugh = { reply: 'Hahaha, that poor toast!' };
  const day = 24;
  const jokesOf = async (personId: string, audience = 'direct') =>
    (await compose(personId, new Date(), audience)).relationship.jokes;

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
    expect(inChannel.relationship.jokes).toEqual([]);
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
    await messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: true });
    expect(await heard()).toBe(0);
    await messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: false });
    expect(await heard()).toBe(2);
  });

  it('is never of private talk', async () => {
    const personId = randomUUID();
    memory.private.add(personId);
    await appraise(turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), laugh));
    memory.private.delete(personId);
    await appraise(turnOf(personId, 'remember the flying toaster incident?', hoursAgo(1)));
    expect(await stores.query('SELECT 1 FROM shared_jokes')).toEqual([]);
  });

  it('may be the companion’s words, at which the person laughs in the turn after', async () => {
    const personId = randomUUID();
    const reply = 'Chiefly a pocket philosopher.';
    await appraise(turnOf(personId, 'what are you?', hoursAgo(2 * day), { reply }));
    await appraise(turnOf(personId, '😂 stop it', hoursAgo(2 * day - 0.05), { reply: 'Never.' }));
    await appraise(turnOf(personId, 'so, pocket philosopher, what now?', hoursAgo(1), { reply: 'Hm.' }));
    expect(await jokesOf(personId)).toMatchObject([{ phrase: 'pocket philosopher' }]);
  });

  it('goes with the messages it comes from', async () => {
    const personId = randomUUID();
    const first = turnOf(personId, 'I call it the flying toaster incident', hoursAgo(2 * day), laugh);
    await appraise(first);
    await appraise(turnOf(personId, 'remember the flying toaster incident?', hoursAgo(1)));
    const forget = (sources: string[]) =>
      messenger.ask(personalityContract.forget, forgetting(personId, sources));
    await forget([randomUUID()]);
    await forget([messageOf(first)]);
    expect(await jokesOf(personId)).toEqual([]);
  });
});

/** An order to forget messages that nobody can take back. */
function forgetting(personId: string, messageIds: string[]) {
  return {
    ...{ orderId: randomUUID(), personId, companionId: 'mira', messageIds },
    ...{ turnIds: [], memoryIds: [], before: null, undoUntil: null, isReread: false },
  };
}

describe('what somebody hopes or fears', () => {
  const day = 24;
  const FEAR = 'I have my exam on Friday, I am so scared';
  const eventsOf = async (viewer: string | null, asker = viewer ?? randomUUID()) =>
    (await messenger.ask(personalityContract.affectEvents, { companionId: 'mira', viewer, asker })).events;
  const prospects = () => stores.query<{ settled_by: string | null }>('SELECT settled_by FROM prospects');

  it('is read again in an edited message, and felt once', async () => {
    const personId = randomUUID();
    const told = turnOf(personId, FEAR, hoursAgo(4 * day));
    await appraise(told);
    const felt = await eventsOf(personId);
    await messenger.ask(personalityContract.forget, {
      ...{ ...forgetting(personId, [messageOf(told)]), turnIds: [told], isReread: true },
    });
    expect(await prospects()).toEqual([]);
    gateway.said.set(told, { ...gateway.said.get(told)!, text: 'I hope the visa comes through' });
    for (const revision of [1, 2]) {
      await messenger.enqueue(personalityContract.reread, { turnId: told, revision });
      await eventually('the job is done', async () => {
        const counts = await messenger.countJobs(personalityContract.reread);
        return (counts['active'] ?? 0) + (counts['waiting'] ?? 0) + (counts['delayed'] ?? 0) === 0;
      });
    }
    expect(await stores.query('SELECT kind, about FROM prospects')).toEqual([
      { kind: 'hoped', about: 'I hope the visa comes through' },
    ]);
    expect(await eventsOf(personId)).toEqual(felt);
  });

  it('is named no more while the app is away from where it was told', async () => {
    const personId = randomUUID();
    const audience = 'channel:discord:exam' as const;
    await appraise(turnOf(personId, FEAR, hoursAgo(4 * day), { audience }));
    await appraise(turnOf(personId, 'I passed!!', hoursAgo(day)));
    const about = async () => (await eventsOf(personId))[0]?.settles?.about;
    expect(await about()).toBe(FEAR);
    await messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: true });
    expect(await about()).toBeNull();
    await messenger.ask(personalityContract.leavePlaces, { audiences: [audience], left: false });
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
    const replayed = await messenger.ask(personalityContract.replay, {
      ...{ companionId: 'mira', from: hoursAgo(5 * day).toISOString(), to: new Date().toISOString() },
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
    await messenger.ask(personalityContract.forget, order);
    expect(await prospects()).toHaveLength(1);
    // What can be taken back comes back as it was.
    const { orderId } = order;
    expect(await messenger.ask(personalityContract.undoForget, { orderId, personId })).toEqual({ rows: 1 });
    expect(await prospects()).toHaveLength(2);
    await messenger.ask(personalityContract.forget, forgetting(personId, sources));
    expect(await prospects()).toHaveLength(1);
    expect((await eventsOf(personId))[0]).toMatchObject({
      emotion: 'relief',
      settles: { turnId: told, about: null },
    });
    const { holdings } = await messenger.ask(personalityContract.erase, { personId, preview: true });
    expect(holdings['prospects']).toBe(1);
    await messenger.ask(personalityContract.erase, { personId, preview: false });
    expect(await prospects()).toEqual([]);
  });

  it('is bounded in number, and given up after a season', async () => {
    const personId = randomUUID();
    await appraise(turnOf(personId, FEAR, hoursAgo(200 * day)));
    await appraise(turnOf(personId, 'I passed the exam', hoursAgo(100 * day)));
    expect((await eventsOf(personId))[0]).toMatchObject({ emotion: 'happy-for', settles: null });
    const today = new Date().toISOString().slice(0, 10);
    await messenger.enqueue(personalityContract.reflect, utcDay(today));
    await eventually('the exam is given up', async () => (await prospects()).length === 0);
    const many =
      'audition biopsy boiler contract dentist drought funding ladder mortgage parcel recital sailing trial';
    await appraise(
      ...many.split(' ').map((what) => turnOf(personId, `I am worried about the ${what}`, hoursAgo(2 * day))),
    );
    expect(await prospects()).toHaveLength(12);
  });
});
