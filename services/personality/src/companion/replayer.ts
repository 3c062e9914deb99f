import type { personalityContract, ResponseInput } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { CompanionRegistry } from './companion-registry.js';
import type { Companion } from '../persona/companion.js';
import { readFeltLog } from '../store/read-felt-log.js';
import { replayDays } from '../affect/replay-days.js';
import type { LoggedTurn } from '../affect/replay.js';
import { recordedDays, replaySeries } from './replay-series.js';
import type { Period } from './period-of.js';

/** Feels past days again: as they were, to prove the log, or with a changed persona, to see what it would change. */
export class Replayer {
  constructor(
    private readonly companions: CompanionRegistry,
    private readonly database: Database,
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
    const { turns, start } = await readFeltLog(this.database, companionId, period);
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
        series: replaySeries(stored, start, companion, period),
      },
      replayed: {
        baseline: (changed ?? companion).temperament.baseline,
        series: replaySeries(replayed.turns, start, changed ?? companion, period),
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
