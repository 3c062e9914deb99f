import {
  AppError,
  boundTime,
  type MoodPoint,
  type personalityContract,
  type ResponseInput,
} from '@kith/contracts';
import { DateTime } from 'luxon';
import { moodSeries } from '../affect/mood/mood-series.js';
import { needPulls } from '../affect/needs/needs.js';
import type { CompanionRegistry } from './companion-registry.js';
import type { Companion } from '../persona/companion.js';
import type { FeltLog } from '../store/felt-log.js';
import { type LogStart, type LoggedTurn, type ReplayedDays, replayDays } from '../affect/replay-days.js';

interface Period {
  from: Date;
  to: Date;
}

/** Feels past days again: as they were, to prove the log, or with a changed persona, to see what it would change. */
export class Replayer {
  constructor(
    private readonly companions: CompanionRegistry,
    private readonly log: FeltLog,
  ) {}

  /**
   * Replays a period. Without a persona each turn is felt with the version it was felt with then; turns of a version
   * that is not kept are felt with the one in force, and counted.
   * @throws AppError `invalid_request` for a persona that is none, or a period that is too long
   */
  async replay(
    companionId: string,
    period: Period,
    persona: unknown,
  ): Promise<ResponseInput<typeof personalityContract.replay>> {
    const companion = this.companions.get(companionId);
    const changed = persona === undefined ? null : this.companions.check(companionId, persona);
    const { turns, start } = await this.log.days(companionId, period.from, period.to);
    const versions = await this.versionsOf(companion, turns);
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
        series: seriesOf(stored, start, companion, period),
      },
      replayed: {
        baseline: (changed ?? companion).temperament.baseline,
        series: seriesOf(replayed.turns, start, changed ?? companion, period),
      },
    };
  }

  private async versionsOf(
    companion: Companion,
    turns: readonly LoggedTurn[],
  ): Promise<Map<number, Companion>> {
    const versions = new Map([[companion.view.version, companion]]);
    for (const version of new Set(turns.map((turn) => turn.version))) {
      if (versions.has(version)) continue;
      const kept = await this.companions.earlier(companion.view.id, version);
      if (kept) versions.set(version, kept);
    }
    return versions;
  }
}

function recordedDays(turns: readonly LoggedTurn[]): ReplayedDays['turns'] {
  return turns.flatMap(({ at, left }) =>
    left.needs ? [{ at, shared: left.shared, needs: left.needs }] : [],
  );
}

function seriesOf(
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
    ...{ from: from.getTime(), to: to.getTime(), temperament, events },
    pullAt: needPulls(needStates, needs),
  }).map((point) => ({ ...point, emotion: null, intensity: null }));
}

/**
 * Reads a period between two times or days; a day stands for its first moment in this zone.
 * @throws AppError `invalid_request` for a period that ends before it begins
 */
export function periodOf(from: string, to: string, timeZone: string): Period {
  const [first, last] = [from, to].map((text) =>
    boundTime(DateTime.fromISO(text, { zone: timeZone }).toJSDate()),
  );
  const period = { from: first!, to: last! };
  if (period.to > period.from) return period;
  throw new AppError('invalid_request', 'the period ends before it begins', { field: 'to' });
}
