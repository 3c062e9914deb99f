import { boundTime, present } from '@kith/contracts';
import { PAUSE_MS, type SpokenMemory } from '../../words/neighbours.js';
import { TUNED } from '../../words/tuned.js';
import { byScore, requirePerson, type FoundMemory } from '../vector-index.js';
import type { ContextPoint } from './weigh-together.js';

/** Neighbours on either side that a line lends its words to. */
const REACH = Math.max(TUNED.before.length, TUNED.after.length);
/** Neighbours on either side that have to be known to weigh these lines again, and how far they can be in time. */
const BESIDE = 2 * REACH;
const BESIDE_MS = BESIDE * PAUSE_MS;
/**
 * Bounds of a search by meaning. The limit covers all of half a year of talk, so that most neighbours of the best lines
 * are among them. The payload tells which lines are neighbours.
 */
export const AROUND = { limit: 500, with_payload: ['conversation', 'said_at', 'terms'] };
/** Lines that the mean is estimated from: its error is a tenth of their spread. */
const SAMPLED = 128;

/** A condition of a filter. */
export type Condition =
  | { key: string; match: { value: string } }
  | { key: string; range: { gte: string; lte: string } }
  | { has_id: string[] };

/** Reads a point's payload as far as it says where the point stands in its talk. */
export function toLine({
  id,
  payload,
}: {
  id: string | number;
  payload?: unknown;
}): SpokenMemory & Pick<ContextPoint, 'terms'> {
  const held = payload as Record<string, unknown>;
  return {
    id: String(id),
    conversation: typeof held['conversation'] === 'string' ? held['conversation'] : null,
    saidAt: boundTime(new Date(String(held['said_at']))),
    terms: (held['terms'] ?? []) as string[],
  };
}

/** Reads a point's payload as far as others near it need it. */
export function toContext(point: { id: string | number; payload?: unknown }): ContextPoint {
  const held = point.payload as Record<string, unknown>;
  return {
    ...toLine(point),
    personId: String(held['person_id']),
    companionId: String(held['companion_id']),
    audience: String(held['audience']),
  };
}

/** Builds the queries for the points before and behind this one in its conversation. */
export function besideOf(
  { personId, companionId, audience, conversation, saidAt }: ContextPoint,
  own: string[],
) {
  const must = [
    ...ofPerson(personId),
    matches('companion_id', companionId),
    matches('audience', audience),
    matches('conversation', present(conversation)),
  ];
  const at = saidAt.toISOString();
  const after = (ms: number) => new Date(saidAt.getTime() + ms).toISOString();
  const side = (direction: 'asc' | 'desc', range: { gte: string; lte: string }) => ({
    query: { order_by: { key: 'said_at', direction } },
    filter: { must: [...must, { key: 'said_at', range }], must_not: [{ has_id: own }] },
    limit: BESIDE,
    with_payload: true,
    with_vector: false,
  });
  return [side('desc', { gte: after(-BESIDE_MS), lte: at }), side('asc', { gte: at, lte: after(BESIDE_MS) })];
}

/** Makes a search score lines that are picked at random, in place of the best. */
export function sampleOf(filter: { must: Condition[] }) {
  return { prefetch: { query: { sample: 'random' as const }, filter, limit: SAMPLED }, limit: SAMPLED };
}

/** Filters by a field's value. */
export function matches(key: string, value: string): Condition {
  return { key, match: { value } };
}

/** Filters by one person, as every query does. */
export function ofPerson(personId: string): Condition[] {
  return [matches('person_id', requirePerson(personId))];
}

/** Sorts what an arm found, ties by id. */
export function bestFirst(points: { id: string | number; score: number }[]): FoundMemory[] {
  return points.map(({ id, score }) => ({ id: String(id), score })).sort(byScore);
}
