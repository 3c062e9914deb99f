import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { freshDatabase } from '@kith/testing';
import { unit } from '../contract-suite/index-bench.js';
import type { FoundMemory, IndexPoint } from '../vector-index.js';
import { ExactIndex } from './exact-index.js';
import { LOADED } from './person-cache.js';

const SPACE = { id: 'test', dimensions: 4, kind: 'semantic' } as const;
/** Writes, removals and searches that go on at once, and how often. */
const [AT_ONCE, ROUNDS] = [4, 40];

/** Park and Miller's numbers, from 0 to 1: a round that fails can be repeated. */
function numbersFrom(seed: number): () => number {
  let last = seed;
  return () => (last = (last * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Scores by id; sums are made in different orders. */
const scoresOf = (found: readonly FoundMemory[]) =>
  new Map(found.map(({ id, score }) => [id, Number(score.toFixed(6))]));

it.each([3, 11])(
  'what replicas hold is what Postgres has, whatever is written at once (%i)',
  async (seed) => {
    const { database, stop } = await freshDatabase();
    const random = numbersFrom(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const some = <T>(most: number, make: () => T): T[] =>
      Array.from({ length: Math.floor(random() * most) }, make);
    const words = Array.from({ length: 30 }, (_, n) => `w${n}`);
    const audiences = ['direct', 'channel:discord:1', 'channel:discord:2'] as const;
    const conversations = [null, ...Array.from({ length: 6 }, () => randomUUID())];
    const people = [randomUUID(), randomUUID()];
    // The last one holds a part of what there is.
    const few = { heapBytes: 60_000, vectorBytes: 40_000 };
    const newIndex = (loaded = LOADED) => new ExactIndex(database, { warn: () => undefined }, loaded);
    const replicas = [newIndex(), newIndex(), newIndex(few)];
    const vector = () => unit(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5);
    const scopeOf = (personId: string) => ({
      personId,
      companionId: pick(['wren', 'owl']),
      audience: pick(audiences),
    });
    const pointOf = (personId: string, id: string = randomUUID()): IndexPoint => ({
      ...scopeOf(personId),
      id,
      vector: vector(),
      terms: ['said', ...some(6, () => pick(words))],
      conversation: pick(conversations),
      saidAt: new Date(Math.floor(random() * 40) * 60_000),
      digest: '',
    });
    const asked = () => ({
      vector: random() < 0.8 ? vector() : null,
      terms: some(4, () => pick(words)),
      limit: 1_000,
      kind: SPACE.kind,
      left: some(2, () => 'channel:discord:1' as const),
    });
    const live = new Map<string, string>();
    const change = (index: ExactIndex, personId: string, own: readonly string[]): Promise<unknown> => {
      const chance = random();
      if (chance < 0.45) {
        const points = some(8, () => pointOf(personId));
        for (const { id } of points) live.set(id, personId);
        const add = () => database.write({ personId }, (tx) => index.within.add(tx, personId, SPACE, points));
        return random() < 0.5 ? index.upsert(SPACE, points) : add().then((isCommitted) => isCommitted());
      }
      if (chance < 0.6 && own.length > 0) return index.upsert(SPACE, [pointOf(personId, pick(own))]);
      if (chance < 0.75 && own.length > 0) {
        const ids = [pick(own), pick(own)];
        for (const id of ids) live.delete(id);
        return index.delete(personId, { ids });
      }
      return index.candidates(SPACE.id, scopeOf(personId), asked(), { mayBeStale: random() < 0.5 });
    };
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const known = [...live];
        const changes = Array.from({ length: AT_ONCE }, () => {
          const personId = pick(people);
          return change(
            pick(replicas),
            personId,
            known.filter(([, owner]) => owner === personId).map(([id]) => id),
          );
        });
        await Promise.all(changes);
        const [scope, query] = [scopeOf(pick(people)), asked()];
        const truth = await newIndex().candidates(SPACE.id, scope, query);
        for (const index of replicas) {
          const found = await index.candidates(SPACE.id, scope, query);
          if (found.isPart) continue;
          expect([round, scoresOf(found.lexical)]).toEqual([round, scoresOf(truth.lexical)]);
          expect([round, scoresOf(found.dense)]).toEqual([round, scoresOf(truth.dense)]);
        }
      }
      expect(await replicas[0]!.count(SPACE.id, people[0])).toBe(
        [...live.values()].filter((owner) => owner === people[0]).length,
      );
    } finally {
      await stop();
    }
  },
);
