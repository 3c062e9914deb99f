import { Injectable } from '@nestjs/common';
import {
  boundTime,
  canHear,
  type Audience,
  type Pad,
  type personalityContract,
  type ResponseInput,
} from '@kith/contracts';
import { needPull, needPulls, needsAt, needViews, type NeedState, SETTLED } from '../needs/needs.js';
import type { Companion } from '../persona/in-force.js';
import { fadedTo } from '../quirks/quirk.js';
import { bondAt, bondView } from '../relationship/bond.js';
import type { AffectHistory } from '../storage/affect-history.js';
import type { AffectRecords } from '../storage/affect-records.js';
import type { Standing } from '../storage/standing.js';
import { describeMood } from './describe-mood.js';
import { feltMood, moodsAt } from './mood-dynamics.js';
import { moodBlock } from './mood-block.js';
import { moodSeenAt, moodSeries } from './mood-series.js';

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

/** More of them at once is a routine. */
const MAX_ALLUSIONS = 2;

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
    { personId, audience }: { personId: string; audience: Audience },
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.compose>> {
    const { view, temperament, persona } = companion;
    const yesterday = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
    const standing = await this.records.standing(companion, personId, yesterday);
    const bond = bondAt(standing.bond, now.getTime());
    const { selfNote } = standing;
    const jokes = standing.jokes.filter((joke) => canHear(audience, joke.audience));
    const today = now.toISOString().slice(0, 10);
    const quirks = standing.quirks.map((quirk) => fadedTo(quirk, today, companion.quirkRules));
    const needs = needViews(needsAt(standing.needs, companion.needs, now.getTime()), companion.needs);
    const felt = feltTowards(companion, standing, now.getTime());
    return {
      companion: view,
      personaBlock: companion.personaBlock,
      moodBlock: moodBlock({
        felt,
        baseline: temperament.baseline,
        bond,
        persona,
        needs,
        quirks,
        selfNote,
      }),
      jokes: bond.strained ? [] : jokes.slice(0, MAX_ALLUSIONS).map(({ phrase }) => phrase),
      mood: describeMood(felt),
      relationship: bondView(bond, now.getTime(), jokes),
    };
  }

  /**
   * Mood now, and its course over a period, as whoever asks may know it: their own turns as they were felt, and of
   * everybody else's what they did to the mood, by the hour.
   */
  async course(
    companion: Companion,
    { personId, now, from, to }: CourseRequest,
  ): Promise<ResponseInput<typeof personalityContract.mood>> {
    const { temperament } = companion;
    const until = to ?? now;
    const since = from ?? boundTime(new Date(until.getTime() - DEFAULT_PERIOD_MS));
    const [standing, present, past] = await Promise.all([
      personId === null ? null : this.records.standing(companion, personId),
      this.#seen(companion, personId, now, now),
      this.#seen(companion, personId, since, until),
    ]);
    return {
      now: describeMood(moodSeenAt(now.getTime(), present)),
      baseline: temperament.baseline,
      halfLifeMs: temperament.halfLifeMs,
      series: moodSeries({ from: since.getTime(), to: until.getTime(), ...past }),
      relationship: standing && bondView(standing.bond, now.getTime(), standing.jokes),
    };
  }

  /** What the companion needs now; with a viewer, as far as they may know it. */
  async needs(
    companion: Companion,
    viewer: string | null,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.needs>> {
    const at = now.getTime();
    const needs =
      viewer === null
        ? (await this.records.own(companion)).needs
        : await this.#seenNeeds(companion, viewer, now);
    return { needs: needViews(needsAt(needs, companion.needs, at), companion.needs) };
  }

  async #seenNeeds({ view }: Companion, viewer: string, now: Date): Promise<NeedState> {
    const states = await this.history.needsBetween(view.id, now, now, viewer);
    return states.findLast(({ seenAt }) => seenAt <= now.getTime()) ?? { levels: SETTLED, at: now.getTime() };
  }

  /** What a course is drawn from. */
  async #seen(companion: Companion, personId: string | null, from: Date, to: Date) {
    const [events, needs] = await Promise.all([
      this.history.eventsBetween(companion.view.id, from, to, personId),
      this.history.needsBetween(companion.view.id, from, to, personId),
    ]);
    return { temperament: companion.temperament, events, pullAt: needPulls(needs, companion.needs) };
  }
}

function feltTowards(
  { temperament, needs: settings }: Companion,
  { shared, offset, needs }: Pick<Standing, 'shared' | 'offset' | 'needs'>,
  now: number,
): Pad {
  return feltMood(
    moodsAt(shared, offset, temperament, now),
    needPull(needsAt(needs, settings, now), settings),
  );
}
