import { hash } from 'node:crypto';
import {
  type CompanionDay,
  type CompanionView,
  DAY_MS,
  gatewayContract,
  HEARTBEATS_PER_NIGHT,
  memoryContract,
  personalityContract,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** Orders a day's consolidation for everyone who said something on it. Safe to repeat: the jobs have the day in their ids. */
export async function orderConsolidation(messenger: Orders, day: CompanionDay): Promise<void> {
  for (const personId of await activeOn(messenger, day)) {
    await messenger.enqueue(memoryContract.consolidate, { personId, ...day });
  }
}

/** Days after which a silence is long: whoever comes back after two weeks finds that they were thought of. */
const SILENCE_DAYS = 14;

/**
 * Orders the quiet turns of a night, with as many people as the companion's persona allows, others on another day:
 * with those it talked with on the day, and those who have been silent for long. Safe to repeat: a day with somebody is
 * thought over once.
 */
export async function orderHeartbeats(
  messenger: Orders,
  on: CompanionDay,
  { heartbeatsPerNight: limit = HEARTBEATS_PER_NIGHT }: CompanionView,
): Promise<void> {
  const { companionId, day } = on;
  const people = drawn(await activeOn(messenger, on), day);
  const silent = drawn(await silentFor(messenger, on), day);
  for (const one of placesOfNight(people, silent, limit)) {
    await messenger.enqueue(gatewayContract.heartbeat, { ...one, companionId, day });
  }
}

/**
 * Divides the places of a night. One goes to somebody who has been silent, as this is their only night: whoever talked
 * has others. A single place goes to somebody who talked that day, if anybody did.
 */
function placesOfNight(people: readonly string[], silent: readonly string[], limit: number) {
  const forSilent = Math.min(silent.length, Math.max(limit > 1 ? 1 : 0, limit - people.length));
  return [
    ...people.slice(0, limit - forSilent).map((personId) => ({ personId, why: 'day' as const })),
    ...silent.slice(0, forSilent).map((personId) => ({ personId, why: 'silence' as const })),
  ];
}

/** Lists people who said something on the day `SILENCE_DAYS` before, and nothing since. */
async function silentFor(messenger: Orders, day: CompanionDay): Promise<string[]> {
  const ago = (time: string) => new Date(Date.parse(time) - SILENCE_DAYS * DAY_MS).toISOString();
  const then = await activeOn(messenger, { ...day, from: ago(day.from), to: ago(day.to) });
  if (then.length === 0) return [];
  const since = new Set(await activeOn(messenger, { ...day, from: ago(day.to) }));
  return then.filter((personId) => !since.has(personId));
}

/** Orders a companion's reflection on a day. Safe to repeat, for the same reason. */
export async function orderReflection(messenger: Orders, day: CompanionDay): Promise<void> {
  await messenger.enqueue(personalityContract.reflect, day);
}

async function activeOn(messenger: Orders, { companionId, from, to }: CompanionDay): Promise<string[]> {
  const { personIds } = await messenger.ask(memoryContract.active, { companionId, from, to });
  return personIds;
}

/** Shuffles people in an order that is fixed for a day, and another on the next. */
function drawn(people: readonly string[], day: string): string[] {
  const lot = (personId: string) => hash('sha256', `${day} ${personId}`);
  return people.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1));
}
