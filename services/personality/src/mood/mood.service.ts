import { Injectable } from '@nestjs/common';
import type { personalityContract, ResponseInput } from '@kith/contracts';
import type { Companion } from '../persona/companions.service.js';
import { bondView } from '../relationship/bond.js';
import type { AffectHistory } from '../storage/affect-history.js';
import type { AffectRecords } from '../storage/affect-records.js';
import { describeMood } from './describe-mood.js';
import { decayed, feltMood, moodsAt } from './mood-dynamics.js';
import { moodBlock } from './mood-block.js';
import { moodSeries } from './mood-series.js';

const DAY_MS = 24 * 3_600_000;
const DEFAULT_PERIOD_MS = 7 * DAY_MS;

/** What of a mood is asked for. */
interface CourseRequest {
  /** As it is towards them; null: the companion's own. */
  personId: string | null;
  now: Date;
  /** Null: a week before `to`. */
  from: Date | null;
  /** Null: until `now`. */
  to: Date | null;
}

/** Mood and bond as they are now, computed from when they last changed. */
@Injectable()
export class MoodService {
  constructor(
    private readonly records: AffectRecords,
    private readonly history: AffectHistory,
  ) {}

  /** Who is speaking, in what mood, to whom. One transaction: it is on the way of every reply. */
  async compose(
    companion: Companion,
    personId: string,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.compose>> {
    const { view, temperament, persona } = companion;
    const yesterday = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
    const { shared, offset, bond, selfNote } = await this.records.standing(
      view.id,
      personId,
      temperament,
      yesterday,
    );
    const felt = feltMood(moodsAt(shared, offset, temperament, now.getTime()));
    return {
      companion: view,
      personaBlock: companion.personaBlock,
      moodBlock: moodBlock({ felt, baseline: temperament.baseline, bond, persona, selfNote }),
      mood: describeMood(felt),
      relationship: bondView(bond),
    };
  }

  /** Mood now, and its course over a period. */
  async course(
    companion: Companion,
    { personId, now, from, to }: CourseRequest,
  ): Promise<ResponseInput<typeof personalityContract.mood>> {
    const { view, temperament } = companion;
    const until = to ?? now;
    const since = from ?? new Date(until.getTime() - DEFAULT_PERIOD_MS);
    const [{ felt, relationship }, events] = await Promise.all([
      this.#now(companion, personId, now.getTime()),
      this.history.eventsBetween(view.id, since, until, personId),
    ]);
    return {
      now: describeMood(felt),
      baseline: temperament.baseline,
      halfLifeMs: temperament.halfLifeMs,
      series: moodSeries({ from: since.getTime(), to: until.getTime(), temperament, events }),
      relationship,
    };
  }

  async #now({ view, temperament }: Companion, personId: string | null, now: number) {
    if (personId === null) {
      const { baseline, halfLifeMs } = temperament;
      const shared = await this.records.sharedMood(view.id, temperament);
      return { felt: decayed(shared, baseline, halfLifeMs, now), relationship: null };
    }
    const { shared, offset, bond } = await this.records.standing(view.id, personId, temperament);
    return { felt: feltMood(moodsAt(shared, offset, temperament, now)), relationship: bondView(bond) };
  }
}
