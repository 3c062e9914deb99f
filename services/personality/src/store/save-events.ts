import { toJsonb, type Writer } from '@kith/database';
import type { Appraisal } from '../affect/appraisal.js';
import type { FeltMoods } from '../affect/feel.js';
import type { TurnToFeel } from '../affect/feel-turns.js';
import { ORIGIN } from '../affect/mood/pad.js';
import type { Prospect } from '../affect/prospect.js';
import type { ProspectChange } from './save-prospects.js';

/** A turn as appraised, on its way into the record. */
export interface AppraisedTurn extends TurnToFeel {
  /** The persona version that it is felt with. */
  version: number;
  appraiser: 'model' | 'rules';
  prospects?: TurnProspects;
}

/** Changes to what was hoped and feared, and the prospect behind each appraisal that settled one. */
interface TurnProspects extends ProspectChange {
  settled: ReadonlyMap<Appraisal, Prospect>;
}

/** A prospect as its outcome's event refers to it. */
export interface SettledProspect {
  turnId: string;
  kind: Prospect['kind'];
  since: string;
}

/** A turn that was felt for the first time. */
export type NewlyFelt = FeltMoods & { turn: AppraisedTurn };

/** Saves the emotions of a turn, each with the moods around it. */
export async function saveEvents(tx: Writer, { turn, before, steps, at }: NewlyFelt): Promise<void> {
  const { turnId, companionId, personId, appraiser } = turn;
  const events = turn.feelings.map(({ name, intensity, appraisal }, n) => ({
    ...{ intensity, emotion: name },
    ...(steps[n]?.shared ?? ORIGIN),
    // With the offset that followed, the mood towards this person can be replayed as well.
    // With the mood before it, what it did can be told without looking for what came before.
    appraisal: {
      variables: appraisal,
      offset: { ...(steps[n]?.offset ?? ORIGIN) },
      before: { ...(steps[n - 1] ?? before).shared },
      settles: settledBy(turn, appraisal),
    },
  }));
  await tx.$executeRaw`
    INSERT INTO affect_events (turn_id, companion_id, person_id, appraiser, intensity, emotion, p, a, d, appraisal, at)
    SELECT ${turnId}::uuid, ${companionId}, ${personId}::uuid, ${appraiser}, intensity, emotion, p, a, d, appraisal,
      ${new Date(at)}::timestamptz
    FROM jsonb_to_recordset(${toJsonb(events)}::jsonb)
      AS felt (intensity float8, emotion text, p float8, a float8, d float8, appraisal jsonb)`;
}

/** Returns the prospect whose outcome this event is: without its words, which may be forgotten. */
function settledBy({ prospects }: AppraisedTurn, appraisal: Appraisal): SettledProspect | null {
  const prospect = prospects?.settled.get(appraisal);
  if (!prospect) return null;
  const { turnId, kind, since } = prospect;
  return { turnId, kind, since: new Date(since).toISOString() };
}
