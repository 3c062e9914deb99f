import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@kith/database';
import { DegradedStates } from '@kith/service-host';
import { ifStarted, freshDatabase, type FreshDatabase } from '@kith/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { SpendMeter } from './spend-meter.js';
import { UsageRecords } from './usage-records.js';

const MINUTE_MS = 60_000;
const LIMIT = 100;
/** Noon, so that none of these moments is on another day. */
const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
const at = (minutes: number) => new Date(noon.getTime() + minutes * MINUTE_MS);
let database: Database;
let stop: FreshDatabase['stop'];

beforeAll(async () => {
  ({ database, stop } = await freshDatabase());
});
afterAll(() => ifStarted(stop)?.());

/** Cost of another replica's turn. */
const cost = (personId: string, tokens: number, when: Date) =>
  database.writer('system').$executeRaw`
    INSERT INTO usage (id, person_id, companion_id, model, prompt_tokens, completion_tokens, at)
    VALUES (gen_random_uuid(), ${personId}::uuid, 'mira', 'a', ${tokens - 1}, 1, ${when})`;

/** Makes a meter of which each person has a limit, or the whole suite. */
function meterOf(perDay = 0) {
  const metrics = new Registry();
  const states = new DegradedStates(metrics, { probeEveryMs: MINUTE_MS });
  const limits = { perDay, perPersonAndDay: LIMIT };
  return { spend: new SpendMeter(database, limits, states, pino({ level: 'silent' }), metrics), metrics };
}

it('counts what other replicas spent once, however often it is looked at, and what was seen late', async () => {
  const { spend, metrics } = meterOf();
  const person = randomUUID();
  const all = async () => (await metrics.getSingleMetric('kith_spend_tokens')!.get()).values[0]!.value;

  await cost(person, 40, at(-600));
  await cost(randomUUID(), 30, at(0));
  await spend.refresh(at(0));
  expect(await all()).toBe(70);
  await spend.refresh(at(0.5));
  await spend.refresh(at(2));
  expect(await all()).toBe(70);
  // It was begun before the last look and is seen after it.
  await cost(person, 50, at(1.5));
  await spend.refresh(at(2.5));
  expect([await all(), spend.decide(person)]).toEqual([120, 'proceed']);
  await cost(person, 10, at(3));
  await spend.refresh(at(10));
  expect([await all(), spend.decide(person)]).toEqual([130, 'person-budget']);
  expect(spend.spentAmong([randomUUID(), person])).toEqual([person]);
  spend.stop();
});

it('counts what is spent once the clock was set back', async () => {
  const { spend } = meterOf();
  const person = randomUUID();
  await cost(person, LIMIT / 2, at(-1));
  await spend.refresh(at(60));
  await spend.refresh(at(0));
  await cost(person, LIMIT / 2, at(0));
  await spend.refresh(at(0.5));
  expect(spend.decide(person)).toBe('person-budget');
  await spend.refresh(at(5));
  expect(spend.decide(person)).toBe('person-budget');
});

it('keeps what was spent here while it looked', async () => {
  const { spend } = meterOf();
  const person = randomUUID();
  const looked = spend.refresh(at(0));
  spend.add(person, LIMIT);
  await looked;
  expect(spend.decide(person)).toBe('person-budget');
});

it('stands for everybody once the suite’s day is spent, also for what is nobody’s', () => {
  const { spend } = meterOf(LIMIT);
  expect(spend.spentAmong([])).toEqual([]);
  spend.add(null, LIMIT);
  expect([spend.spentAmong([]), spend.spentAmong([randomUUID()])]).toEqual([[null], [null]]);
});

it('counts what another service reports once, and no vectors', async () => {
  const { spend } = meterOf();
  const usage = new UsageRecords(database, { costOf: () => null });
  usage.tell((personId, tokens) => spend.add(personId, tokens));
  const [person, other] = [randomUUID(), randomUUID()];
  const of = (personId: string, role: 'fast' | 'embedding', promptTokens: number) => ({
    id: randomUUID(),
    role,
    personId,
    promptTokens,
    model: 'a',
    companionId: null,
    conversationId: null,
    turnId: null,
    calls: 1,
    completionTokens: 0,
    isEstimated: false,
    cost: null,
  });
  const reported = [of(person, 'fast', LIMIT / 2), of(other, 'embedding', LIMIT)];
  await usage.hear(reported);
  await usage.hear(reported);
  expect(spend.spentAmong([person, other])).toEqual([]);
  await spend.refresh(new Date());
  expect(spend.spentAmong([person, other])).toEqual([]);
  await usage.hear([of(person, 'fast', LIMIT / 2)]);
  expect(spend.spentAmong([person, other])).toEqual([person]);
});
