import { type MoodPoint, AppError, boundTime } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { CompanionRegistry } from './companion-registry.js';
import type { Companion } from '../persona/companion.js';
import { readFeltLog } from '../store/read-felt-log.js';
import { type LoggedTurn, replayDays, type LogStart, type ReplayedDays } from '../affect/replay.js';
import { moodSeries } from '../affect/mood/mood-series.js';
import { needPulls } from '../affect/needs/need-pull.js';
import { DateTime } from 'luxon';

/**
 * Feels past days again: as they were, to prove the log, or with a changed persona, to see what it would change. Without
 * a persona each turn is felt with the version it was felt with then; turns of a version that is not kept are felt with
 * the one in force, and counted.
 * @throws AppError `invalid_request` for a persona that is none, or a period that is too long
 */
export async function replayPeriod(
  { companions, database }: { companions: CompanionRegistry; database: Database },
  companionId: string,
  period: Period,
  persona: unknown,
) {
  const companion = companions.get(companionId);
  const changed = persona === undefined ? null : companions.check(companionId, persona);
  const { turns, start } = await readFeltLog(database, companionId, period);
  const versions = await versionsOf(companions, companion, turns);
  const replayed = replayDays(turns, start, ({ version }) => changed ?? versions.get(version) ?? companion);
  const stored = recordedDays(turns);
  const first = replayed.differences[0];
  return {
    turns: replayed.turns.length,
    unknownVersions: changed ? 0 : turns.filter(({ version }) => !versions.has(version)).length,
    differing: new Set(replayed.differences.map(({ turnId }) => turnId)).size,
    firstDifference: first ? { ...first, at: new Date(first.at).toISOString() } : null,
    stored: {
      baseline: companion.temperament.baseline,
      series: replaySeries(stored, start, companion, period),
    },
    replayed: {
      baseline: (changed ?? companion).temperament.baseline,
      series: replaySeries(replayed.turns, start, changed ?? companion, period),
    },
  };
}

async function versionsOf(companions: CompanionRegistry, companion: Companion, turns: readonly LoggedTurn[]) {
  const versions = new Map([[companion.view.version, companion]]);
  for (const version of new Set(turns.map((turn) => turn.version))) {
    if (versions.has(version)) continue;
    const kept = await companions.earlier(companion.view.id, version);
    if (kept) versions.set(version, kept);
  }
  return versions;
}

/** Lists the turns of the log as they were felt then. */
function recordedDays(turns: readonly LoggedTurn[]): ReplayedDays['turns'] {
  return turns.flatMap(({ at, left }) =>
    left.needs ? [{ at, shared: left.shared, needs: left.needs }] : [],
  );
}

/** Builds the mood's course from replayed turns, without the emotions. */
function replaySeries(
  turns: ReplayedDays['turns'],
  start: LogStart,
  { temperament, needs }: Companion,
  { from, to }: Period,
): MoodPoint[] {
  const moved = turns.flatMap(({ at, shared }) => (shared ? [{ at, pad: shared }] : []));
  const states = [...(start.shared ? [start.shared] : []), ...moved];
  const events = states.map(({ at, pad }) => ({
    at,
    seenAt: at,
    shared: pad,
    offset: null,
    felt: { emotion: 'felt', intensity: 1 },
  }));
  const needStates = [start.needs, ...turns.map((turn) => turn.needs)]
    .filter((state) => state !== null)
    .map((state) => ({ ...state, seenAt: state.at }));
  return moodSeries({
    from: from.getTime(),
    to: to.getTime(),
    temperament,
    events,
    pullAt: needPulls(needStates, needs),
  }).map((point) => ({ ...point, emotion: null, intensity: null }));
}

/** A stretch of time that is replayed. */
interface Period {
  from: Date;
  to: Date;
}

/**
 * Reads a period between two times or days; a day stands for its first moment in this zone.
 * @throws AppError `invalid_request` for a period that ends before it begins
 */
export function periodOf(from: string, to: string, timeZone: string): Period {
  const read = (text: string) => boundTime(DateTime.fromISO(text, { zone: timeZone }).toJSDate());
  const period = { from: read(from), to: read(to) };
  if (period.to > period.from) return period;
  throw new AppError('invalid_request', 'the period ends before it begins', { field: 'to' });
}
