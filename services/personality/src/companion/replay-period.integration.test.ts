import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { FaultProxy, ifStarted } from '@kith/testing';
import { startFeltCompanions, type FeltCompanions } from '../e2e/felt-companions.js';
import { SHIPPED_FOLDER } from '../persona/load-personas.js';
import { readFeltLog } from '../store/read-felt-log.js';
import { periodOf, replayPeriod } from './replay-period.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2027-01-10T12:00:00Z');
const SAYINGS = [
  'thank you so much, you are wonderful',
  'you are a useless idiot',
  'what time is it in lisbon',
  'my dog died this morning',
  'I love this song!',
  'I got the job!!',
];

let felt: FeltCompanions;
const mira = JSON.parse(readFileSync(`${SHIPPED_FOLDER}/mira.json`, 'utf8')) as Record<string, unknown>;

beforeAll(async () => {
  felt = await startFeltCompanions();
  const people = [randomUUID(), randomUUID(), randomUUID()];
  for (let n = 0; n < 60; n += 1) {
    // Midway the persona changes, and so does how turns are felt.
    if (n === 30) await felt.companions.edit('mira', { ...mira, moodHalfLifeHours: 11 });
    await feel(people[n % 3]!, SAYINGS[(n * 5) % SAYINGS.length]!, NOW + n * HOUR);
  }
  await feel(people[0]!, 'thank you so much', NOW - 5_000 * HOUR);
  await feel(people[0]!, 'you are a useless idiot', NOW + 60 * HOUR);
  // The second one comes in late.
  await feel(people[1]!, 'what time is it in lisbon', NOW + 72 * HOUR);
  await feel(people[2]!, 'thank you so much', NOW + 71 * HOUR);
  await feel(people[2]!, 'what time is it in lisbon', NOW + 73 * HOUR);
});

afterAll(() => ifStarted(felt)?.stop());

const feel = (personId: string, text: string, endedAt: number) =>
  felt.feel(personId, text, endedAt, NOW + 1_000 * HOUR);

const replay = (fromHour: number, toHour: number, persona?: unknown) =>
  replayPeriod(
    felt,
    'mira',
    periodOf(
      new Date(NOW + fromHour * HOUR).toISOString(),
      new Date(NOW + toHour * HOUR).toISOString(),
      'UTC',
    ),
    persona,
  );

describe('a replay', () => {
  it('of all days gives what is stored, bit for bit, over a change of the persona and late history', async () => {
    const { turns, differing, firstDifference, unknownVersions } = await replay(-1, 100);
    expect({ turns, differing, firstDifference, unknownVersions }).toEqual({
      turns: 64,
      differing: 0,
      firstDifference: null,
      unknownVersions: 0,
    });
  });

  it('of some days begins where those before them ended', async () => {
    for (const [from, to] of [
      [10, 20],
      [25, 45],
      [59, 100],
      [71.5, 100],
      [3.5, 4.5],
    ] as const) {
      expect(await replay(from, to)).toMatchObject({ differing: 0, firstDifference: null });
    }
  });

  it('gives the same course twice where nothing differs', async () => {
    const { stored, replayed } = await replay(40, 60);
    expect(replayed).toEqual(stored);
    expect(stored.series.length).toBeGreaterThan(50);
  });

  it('finds a state that was tampered with', async () => {
    const [row] = await felt.stores.query<{ id: string; p: number }>(
      'SELECT id, p FROM affect_events ORDER BY id OFFSET 20 LIMIT 1',
    );
    await felt.stores.query(`UPDATE affect_events SET p = p + 1e-12 WHERE id = ${row!.id}`);
    const { differing, firstDifference } = await replay(-1, 100);
    await felt.stores.query(`UPDATE affect_events SET p = ${row!.p} WHERE id = ${row!.id}`);
    expect(differing).toBeGreaterThan(0);
    expect(firstDifference?.what).toBe('mood');
  });

  it('with a changed persona gives the days as they would have been', async () => {
    const sunny = { ...mira, traits: { ...(mira['traits'] as object), agreeableness: 1, stability: 1 } };
    const { stored, replayed } = await replay(-1, 100, sunny);
    const mean = (points: typeof stored) =>
      points.series.reduce((sum, { pad }) => sum + pad.p, 0) / points.series.length;
    expect(replayed.baseline.p).toBeGreaterThan(stored.baseline.p + 0.1);
    expect(mean(replayed)).toBeGreaterThan(mean(stored) + 0.1);
  });

  it('refuses a persona that is none, by field, and a period that ends before it begins', async () => {
    await expect(replay(0, 1, { ...mira, traits: {} })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: expect.arrayContaining([expect.objectContaining({ field: 'traits.openness' })]) },
    });
    expect(() => periodOf('2027-01-02T00:00:00Z', '2027-01-01', 'UTC')).toThrow('ends before');
  });

  it('takes a day for its first moment where the companion lives', () => {
    expect(periodOf('2027-03-28', '2027-03-29', 'Europe/Berlin')).toEqual({
      from: new Date('2027-03-27T23:00:00Z'),
      to: new Date('2027-03-28T22:00:00Z'),
    });
  });

  it('of days without anything is empty', async () => {
    expect(await replay(-900, -800)).toMatchObject({ turns: 0, differing: 0 });
  });

  it('reads only the last of what each of its people felt before it', async () => {
    const url = new URL(felt.stores.databaseUrl);
    const proxy = await FaultProxy.start({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const database = new Database({ url: url.href, poolSize: 1 });
    const read = async () => {
      const before = proxy.answered;
      const period = { from: new Date(NOW + 10 * HOUR), to: new Date(NOW + 13 * HOUR) };
      const { start } = await readFeltLog(database, 'mira', period);
      expect([start.bonds.size, start.offsets.size]).toEqual([3, 3]);
      return proxy.answered - before;
    };
    await read();
    const usual = await read();
    const long = `jsonb_build_object('offset', '{"p": 0, "a": 0, "d": 0}'::jsonb, 'more', repeat('long ', 200))`;
    await felt.stores.query(`
      INSERT INTO felt_turns (id, turn_id, companion_id, person_id, version, bond, at)
      SELECT -3 * n - nr, gen_random_uuid(), 'mira', person_id, 1, ${long}, now() FROM generate_series(1, 300) AS n,
        (SELECT person_id, row_number() OVER () AS nr FROM relationships) AS people`);
    await felt.stores.query(`
      INSERT INTO affect_events (id, companion_id, person_id, turn_id, appraisal, emotion, intensity, appraiser, p, a, d, at)
      SELECT id, companion_id, person_id, turn_id, bond, 'joy', 1, 'rules', 0, 0, 0, at FROM felt_turns WHERE id < 0`);
    expect(await read()).toBeLessThan(usual + 10_000);
    await database.close();
    await proxy.stop();
  });
});
