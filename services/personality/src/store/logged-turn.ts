import type { Pad } from '@kith/contracts';
import type { AffectEventModel, FeltTurnModel } from '@kith/database';
import { padOf } from '../affect/mood/pad.js';
import type { EmotionName } from '../affect/mood/emotions.js';
import type { NeedLevels, NeedState } from '../affect/needs/needs.js';
import type { Bond } from '../affect/bond/bond.js';
import type { LoggedTurn } from '../affect/replay.js';

/** Builds a turn of the log from its row and its events. */
export function loggedTurn(row: FeltTurnModel, events: readonly AffectEventModel[]): LoggedTurn {
  const { turnId, personId, version, at } = row;
  const last = events.at(-1);
  return {
    ...{ turnId, personId, version, at: at.getTime() },
    emotions: events.map(({ emotion, intensity }) => ({ name: emotion as EmotionName, intensity })),
    left: {
      shared: last ? padOf(last) : null,
      offset: last ? offsetOf(last) : null,
      needs: needsOf(row),
      bond: row.bond as Bond | null,
    },
  };
}

/** Key by key: JSON in the table comes back in an order of its own. */
export function offsetOf({ appraisal }: AffectEventModel): Pad {
  return padOf((appraisal as { offset: Pad }).offset);
}

/** Reads the needs a turn left; null for history. */
export function needsOf({ needs, needsAt }: Pick<FeltTurnModel, 'needs' | 'needsAt'>): NeedState | null {
  return needs && needsAt ? { levels: needs as NeedLevels, at: needsAt.getTime() } : null;
}
