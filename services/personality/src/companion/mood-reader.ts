import { DAY_MS, boundTime, canHear, present, QuirkView, timesAsText } from '@kith/contracts';
import type { personalityContract, RequestOutput } from '@kith/contracts';
import { DateTime } from 'luxon';
import { needsAt, type NeedState, INITIAL_LEVELS } from '../affect/needs/needs.js';
import { needPulls, needViews } from '../affect/needs/need-pull.js';
import type { Companion } from '../persona/companion.js';
import { FAINTEST_QUIRK, quirksOn, showsIn } from '../persona/quirk.js';
import { bondAt, bondView, tensionAt } from '../affect/bond/bond.js';
import type { AffectHistory } from '../store/affect-history.js';
import type { AffectRecords } from '../store/affect-records.js';
import type { ExplanationRecords } from '../store/explanation-records.js';
import { describeMet } from '../affect/mood/describe-mood.js';
import { moodMetAt } from '../affect/feel.js';
import { moodBlock } from '../persona/mood-block.js';
import { moodSeries, moodSeenAt } from '../affect/mood/mood-series.js';

/** A week fits a plot, and shows what a weekday does. */
const DEFAULT_PERIOD_MS = 7 * DAY_MS;

/** Jokes that one reply may allude to: more of them at once is a routine. */
const MAX_ALLUSIONS = 2;

/** Mood, needs, bond and quirks as they are now, computed from when they last changed. */
export class MoodReader {
  constructor(
    private readonly records: AffectRecords,
    private readonly history: AffectHistory,
    private readonly explanations: ExplanationRecords,
  ) {}

  /** Composes a reply's persona and mood. One transaction: every reply waits for it. */
  async compose(companion: Companion, asked: RequestOutput<typeof personalityContract.compose>) {
    const { personId, audience } = asked;
    const now = new Date(asked.now);
    const { view, temperament, persona } = companion;
    const { today, yesterday } = localDays(now, view.timeZone);
    const snapshot = await this.records.snapshot(companion, personId, yesterday);
    const bond = bondAt(snapshot.bond, now.getTime());
    const { selfNote } = snapshot;
    const jokes = snapshot.jokes.filter((joke) => canHear(audience, joke.audience));
    const heard = snapshot.quirks.filter((quirk) => showsIn(audience, quirk));
    const quirks = quirksOn(heard, today, companion.quirkRules);
    const needs = needViews(needsAt(snapshot.needs, companion.needs, now.getTime()), companion.needs);
    const felt = moodMetAt(snapshot, companion, now.getTime());
    return {
      companion: view,
      personaBlock: companion.personaBlock,
      moodBlock: moodBlock({ felt, baseline: temperament.baseline, bond, persona, needs, quirks, selfNote }),
      jokes: bond.strained ? [] : jokes.slice(0, MAX_ALLUSIONS).map(({ phrase }) => phrase),
      mood: describeMet(felt, { baseline: temperament.baseline, tension: bond.tension }),
      bond: bondView(bond, now.getTime(), jokes),
    };
  }

  /**
   * Returns the mood now, and its course over a period, as far as the person who asks may know it: their own turns as
   * they were felt, and the effect of everybody else's on the mood, by the hour. Without a person, the companion's own
   * mood.
   */
  async course(companion: Companion, asked: RequestOutput<typeof personalityContract.mood>) {
    const { baseline, halfLifeMs } = companion.temperament;
    const { from, to, personId } = asked;
    const now = new Date(asked.now);
    const until = to === undefined ? now : new Date(to);
    const since =
      from === undefined ? boundTime(new Date(until.getTime() - DEFAULT_PERIOD_MS)) : new Date(from);
    const [snapshot, current, past] = await Promise.all([
      personId === undefined ? null : this.records.snapshot(companion, personId),
      this.seen(companion, personId ?? null, now, now),
      this.seen(companion, personId ?? null, since, until),
    ]);
    const tension = snapshot === null ? 0 : tensionAt(snapshot.bond, now.getTime());
    return {
      now: describeMet(moodSeenAt(now.getTime(), current), { baseline, tension }),
      baseline,
      halfLifeMs,
      series: moodSeries({ to: until.getTime(), ...past }),
      bond: snapshot && bondView(snapshot.bond, now.getTime(), snapshot.jokes),
    };
  }

  /** Returns the companion's needs now; with a viewer, as far as they may know them. */
  async needs(companion: Companion, viewer: string | null, now: Date) {
    const at = now.getTime();
    const needs =
      viewer === null
        ? (await this.records.own(companion)).needs
        : await this.seenNeeds(companion, viewer, now);
    return { needs: needViews(needsAt(needs, companion.needs, at), companion.needs) };
  }

  /** Returns the bond with a person. */
  async bond(companion: Companion, personId: string, now: Date) {
    const { bond, jokes } = await this.records.snapshot(companion, personId);
    return bondView(bond, now.getTime(), jokes);
  }

  /** Lists the quirks that still show, the strongest first, with the turns behind them that the viewer may know. */
  async quirks({ view, quirkRules }: Companion, viewer: string | null, now: Date) {
    const { today } = localDays(now, view.timeZone);
    const quirks = quirksOn(await this.explanations.quirks(viewer, view.id), today, quirkRules)
      .filter(({ strength }) => strength >= FAINTEST_QUIRK)
      .sort((one, other) => other.strength - one.strength || (one.text < other.text ? -1 : 1));
    return { quirks: quirks.map((quirk) => QuirkView.parse(timesAsText(quirk))) };
  }

  private async seenNeeds({ view }: Companion, viewer: string, now: Date): Promise<NeedState> {
    const { needs } = await this.history.needsBetween(view.id, now, now, viewer);
    return (
      needs.findLast(({ seenAt }) => seenAt <= now.getTime()) ?? { levels: INITIAL_LEVELS, at: now.getTime() }
    );
  }

  /** Loads the events and needs that a course is drawn from, and the time from which on they are all there. */
  private async seen(companion: Companion, personId: string | null, from: Date, to: Date) {
    const [{ events, ...felt }, { needs, ...needed }] = await Promise.all([
      this.history.eventsBetween(companion.view.id, from, to, personId),
      this.history.needsBetween(companion.view.id, from, to, personId),
    ]);
    return {
      from: Math.max(felt.from, needed.from),
      events,
      temperament: companion.temperament,
      pullAt: needPulls(needs, companion.needs),
    };
  }
}

/** Returns the day of a companion's that a time counts to, by the clock of its zone, and the one before it. */
function localDays(at: Date, timeZone: string) {
  const day = DateTime.fromJSDate(at, { zone: timeZone });
  return { today: present(day.toISODate()), yesterday: present(day.minus({ days: 1 }).toISODate()) };
}
