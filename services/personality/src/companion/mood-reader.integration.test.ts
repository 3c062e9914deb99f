import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ifStarted } from '@kith/testing';
import { LeftPlaces } from '@kith/database';
import { utcDay } from '../e2e/personality-suite.js';
import { startFeltCompanions, type FeltCompanions } from '../e2e/felt-companions.js';
import type { Companion } from '../persona/companion.js';
import { EVERYWHERE } from '../persona/quirk.js';
import { AffectHistory } from '../store/affect-history.js';
import { ExplanationRecords } from '../store/explanation-records.js';
import { ReflectionRecords } from '../store/reflection-records.js';
import { MoodReader } from './mood-reader.js';

let felt: FeltCompanions;
let mira: Companion;
let explanations: ExplanationRecords;
let moods: MoodReader;

beforeAll(async () => {
  felt = await startFeltCompanions();
  mira = felt.companions.get('mira');
  explanations = new ExplanationRecords(
    felt.database,
    new LeftPlaces(felt.database, 'personality_left_places'),
  );
  moods = new MoodReader(felt.records, new AffectHistory(felt.database), explanations);
});

afterAll(() => ifStarted(felt)?.stop());

const [ana, ben] = [randomUUID(), randomUUID()];
const NOW = Date.now();

const feel = (personId: string, text: string, minutesAgo: number) =>
  felt.feel(personId, text, NOW - minutesAgo * 60_000, NOW);

const asked = (viewer: string | null, change: { limit?: number; cursor?: string; from?: string } = {}) =>
  explanations.events({ companionId: 'mira', viewer, asker: viewer ?? randomUUID(), limit: 50, ...change });

describe('why the mood moved', () => {
  const turns: string[] = [];
  beforeAll(async () => {
    turns.push(await feel(ana, 'thank you so much', 30));
    turns.push(await feel(ben, 'you are a useless idiot', 20));
    turns.push(await feel(ana, 'my dog died this morning', 10));
  });

  it('is told to a person by their own turns alone', async () => {
    const { events } = await asked(ana);
    expect(events.map(({ turnId, emotion }) => [turnId, emotion])).toEqual([
      [turns[2], 'pity'],
      [turns[0], 'gratitude'],
    ]);
    expect((await asked(randomUUID())).events).toEqual([]);
  });

  it('is told to an operator by all turns', async () => {
    const { events } = await asked(null);
    expect(new Set(events.map(({ personId }) => personId))).toEqual(new Set([ana, ben]));
  });

  it('says how the turn was read and what that changed', async () => {
    const [event] = (await asked(ben)).events;
    expect(event).toMatchObject({ emotion: 'anger', appraiser: 'rules', variables: { causedBy: 'other' } });
    expect(event?.change?.p).toBeLessThan(0);
    expect(event?.mood.p).toBeLessThan(mira.temperament.baseline.p + 0.1);
  });

  it('says how strongly turns of a person’s own were felt', async () => {
    const felt = await explanations.strongest([{ personId: ana, turnIds: [...turns, randomUUID()] }]);
    expect(felt.map(({ turnId }) => turnId).sort()).toEqual([turns[0]!, turns[2]!].sort());
    for (const { intensity, pleasure } of felt) {
      expect(intensity).toBeGreaterThan(0.3);
      expect(Math.abs(pleasure)).toBeCloseTo(intensity, 10);
    }
  });

  it('comes in pages, and from a time on', async () => {
    const first = await asked(null, { limit: 2 });
    const second = await asked(null, { limit: 2, cursor: first.nextCursor! });
    expect([...first.events, ...second.events].map(({ turnId }) => turnId)).toEqual([...turns].reverse());
    expect(second.nextCursor).toBeNull();
    const late = await asked(null, { from: new Date(NOW - 15 * 60_000).toISOString() });
    expect(late.events.map(({ turnId }) => turnId)).toEqual([turns[2]]);
  });
});

describe('a bond', () => {
  it('is that of strangers for who never met', async () => {
    expect(await moods.bond(mira, randomUUID(), new Date(NOW))).toMatchObject({
      stage: 'stranger',
      interactions: 0,
      milestones: [],
    });
  });
});

describe('quirks and diary', () => {
  const day = '2026-05-04';
  beforeAll(async () => {
    const nights = new ReflectionRecords(felt.database);
    await nights.begin('mira', day);
    const sources = [ana, ben].map((personId) => ({ turnId: randomUUID(), personId, audience: 'direct' }));
    for (const { turnId, personId } of sources)
      await felt.stores.query(
        `INSERT INTO felt_turns (turn_id, companion_id, person_id, version, at) VALUES ($1, 'mira', $2, 1, '${day}')`,
        [turnId, personId],
      );
    const quirk = {
      kind: 'interest' as const,
      text: 'sourdough',
      strength: 0.8,
      origin: 'reflection' as const,
      audience: EVERYWHERE,
    };
    const ofChannel = { ...quirk, text: 'layoffs', audience: 'channel:discord:1' };
    const kept = [quirk, ofChannel].map((one) => ({ ...one, day, sources }));
    await nights.saveQuirks(mira.view, day, { kept, gone: [] }, await nights.now());
    const cited = sources.map(({ turnId, personId }, n) => ({ turnId, personId, number: n + 1 }));
    await nights.saveDiary(utcDay(day), () => ({ text: 'A day.\nOne [1].\nOther [2].', sources: cited }));
  });

  it('name a habit of one channel only to those whose turns it comes from', async () => {
    const at = new Date(`${day}T23:00:00Z`);
    const named = async (viewer: string | null) =>
      (await moods.quirks(mira, viewer, at)).quirks.some(({ text }) => text === 'layoffs');
    expect([await named(ana), await named(randomUUID()), await named(null)]).toEqual([true, false, true]);
  });

  it('name to each person only the turns that were theirs', async () => {
    const at = new Date(`${day}T23:00:00Z`);
    const sourdough = async (viewer: string | null) =>
      (await moods.quirks(mira, viewer, at)).quirks.find(({ text }) => text === 'sourdough');
    expect(await sourdough(ana)).toMatchObject({ strength: 0.8, sources: [expect.any(String)] });
    expect((await sourdough(null))?.sources).toHaveLength(2);
    expect((await sourdough(randomUUID()))?.sources).toEqual([]);
    const diary = (viewer: string | null) => explanations.diary({ companionId: 'mira', viewer, limit: 5 });
    expect((await diary(ben)).entries).toEqual([
      { day, text: 'A day. Other [2].', sources: [{ number: 2, turnId: expect.any(String) }] },
    ]);
    expect((await diary(randomUUID())).entries).toEqual([{ day, text: 'A day.', sources: [] }]);
    expect((await diary(null)).entries[0]).toMatchObject({ text: 'A day. One [1]. Other [2].' });
    expect((await diary(null)).entries[0]?.sources).toHaveLength(2);
  });

  it('are not what the persona vetoes since', async () => {
    const quirkRules = { ...mira.quirkRules, veto: ['sourdough'] };
    const at = new Date(`${day}T23:00:00Z`);
    const { quirks } = await moods.quirks({ ...mira, quirkRules }, null, at);
    const picked = quirks.filter(({ origin }) => origin === 'reflection');
    expect(picked.map(({ text }) => text)).toEqual(['layoffs']);
  });

  it('are faded as of now, and left out once they are too faint', async () => {
    const texts = async (at: string) =>
      (await moods.quirks(mira, null, new Date(at))).quirks
        .filter(({ origin }) => origin === 'reflection')
        .map(({ strength }) => strength);
    expect((await texts('2026-05-14T12:00:00Z'))[0]).toBeCloseTo(0.4, 9);
    expect(await texts('2026-08-01T12:00:00Z')).toEqual([]);
  });
});
