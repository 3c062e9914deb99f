import { present } from '@kith/contracts';
import { type People, toJsonb, type Writer } from '@kith/database';
import type { OwnAffect, PairAffect, FeltMoods } from '../affect/feel.js';
import {
  type AffectStates,
  type FeltTurn,
  type Pair,
  pairKey,
  type TurnToFeel,
} from '../affect/feel-turns.js';
import type { Appraisal } from '../affect/appraisal.js';
import { ORIGIN } from '../affect/mood/pad.js';
import type { Prospect } from '../affect/prospect.js';
import { saveProspects, type ProspectChange } from './prospect-records.js';

/** Saves turns as they were felt, and the moods, needs and bonds they left. Repeats change nothing. */
export async function saveFelt(
  scopes: People,
  tx: Writer,
  felt: readonly FeltTurn<AppraisedTurn>[],
  after: AffectStates,
): Promise<void> {
  const newly = felt.filter((one) => one.kind !== 'repeat');
  const pairs = new Map(newly.map(({ turn }) => [pairKey(turn), turn]));
  const byCompanion = Map.groupBy(newly, ({ turn }) => turn.companionId);
  await Promise.all([
    ...newly.map((one) => scopes.of(one.turn.personId, (its) => saveTurn(its, one))),
    ...[...pairs].map(([key, pair]) =>
      scopes.of(pair.personId, (its) => savePair(its, pair, present(after.pairs.get(key)))),
    ),
    ...[...byCompanion].map(([id, ofIt]) => saveOwn(tx, id, present(after.own.get(id)), ofIt)),
  ]);
}

/** Logs the turn as it was felt: with the bond and the needs it left, or without needs for history. */
async function saveTurn(tx: Writer, felt: NewlyFelt): Promise<void> {
  const { turn, at } = felt;
  const { turnId, companionId, personId, version, prospects } = turn;
  const { bond } = felt.after;
  const needs = felt.kind === 'history' ? null : felt.after.needs;
  await Promise.all([
    prospects && saveProspects(tx, turn, prospects, at),
    tx.$executeRaw`
      INSERT INTO felt_turns (turn_id, companion_id, person_id, version, needs, needs_at, bond, at)
      VALUES (${turnId}::uuid, ${companionId}, ${personId}::uuid, ${version},
        ${needs && toJsonb(needs.levels)}::jsonb, ${needs && new Date(needs.at)}, ${toJsonb(bond)}::jsonb,
        ${new Date(at)})`,
    felt.steps.length > 0 && saveEvents(tx, felt),
  ]);
}

/** Saves the companion's own mood and needs, as far as these turns changed them. */
async function saveOwn(
  tx: Writer,
  companionId: string,
  { shared: { pad, at }, needs }: OwnAffect,
  felt: readonly NewlyFelt[],
): Promise<void> {
  await Promise.all([
    felt.some(({ steps }) => steps.length > 0) &&
      tx.$executeRaw`
        UPDATE moods SET p = ${pad.p}, a = ${pad.a}, d = ${pad.d}, at = ${new Date(at)}
        WHERE companion_id = ${companionId}`,
    felt.some(({ kind }) => kind === 'present') &&
      tx.$executeRaw`
        UPDATE needs SET levels = ${toJsonb(needs.levels)}::jsonb, at = ${new Date(needs.at)}
        WHERE companion_id = ${companionId}`,
  ]);
}

async function savePair(tx: Writer, { companionId, personId }: Pair, { bond, offset }: PairAffect) {
  await tx.$executeRaw`
    INSERT INTO relationships (companion_id, person_id, familiarity, affection, trust, interactions, tension, sentiment,
      stage, strained, milestones, first_met_at, last_spoke_at, offset_p, offset_a, offset_d, offset_at)
    VALUES (${companionId}, ${personId}::uuid, ${bond.familiarity}, ${bond.affection}, ${bond.trust},
      ${bond.interactions}, ${bond.tension}, ${bond.sentiment}, ${bond.stage}, ${bond.strained},
      ${toJsonb(bond.milestones)}::jsonb, ${new Date(bond.firstMetAt ?? 0)}, ${new Date(bond.lastSpokeAt ?? 0)},
      ${offset.pad.p}, ${offset.pad.a}, ${offset.pad.d}, ${new Date(offset.at)})
    ON CONFLICT (companion_id, person_id) DO UPDATE SET
      (familiarity, affection, trust, interactions, tension, sentiment, stage, strained, milestones, first_met_at,
        last_spoke_at, offset_p, offset_a, offset_d, offset_at) =
      (excluded.familiarity, excluded.affection, excluded.trust, excluded.interactions, excluded.tension,
        excluded.sentiment, excluded.stage, excluded.strained, excluded.milestones, excluded.first_met_at,
        excluded.last_spoke_at, excluded.offset_p, excluded.offset_a, excluded.offset_d, excluded.offset_at)`;
}

/** A turn as appraised, on its way into the record. */
export interface AppraisedTurn extends TurnToFeel {
  /** The persona version that it is felt with. */
  version: number;
  appraiser: 'model' | 'rules';
  /** Changes to what was hoped and feared, and the prospect behind each appraisal that settled one. */
  prospects?: ProspectChange & { settled: ReadonlyMap<Appraisal, Prospect> };
}

/** A prospect as its outcome's event refers to it. */
export type SettledProspect = Pick<Prospect, 'turnId' | 'kind'> & { since: string };

/** A turn that was felt for the first time. */
type NewlyFelt = FeltMoods & { turn: AppraisedTurn };

/** Saves the emotions of a turn, each with the moods around it. */
async function saveEvents(tx: Writer, { turn, before, steps, at }: NewlyFelt): Promise<void> {
  const { turnId, companionId, personId, appraiser } = turn;
  const events = turn.feelings.map(({ name, intensity, appraisal }, n) => ({
    intensity,
    emotion: name,
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
