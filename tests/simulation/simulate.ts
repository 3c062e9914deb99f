import { DAY_MS, HOUR_MS, type OutreachSettings, type Pad, type WaitReason } from '@kith/contracts';
import { DateTime } from 'luxon';
import {
  decideOutreach,
  isOverdue,
  LAST_CALL_MS,
  type EarlierAttempt,
  type OpenIntention,
} from '../../services/proactive-scheduler/dist/decision/decide-outreach.js';
import { noticeReasons } from '../../services/proactive-scheduler/dist/reasons/notice-reasons.js';
import type { Persona } from '@kith/characters';
import { Random } from '../faults/random.ts';
import { dayOf } from './clock.ts';
import { Feelings } from './feelings.ts';
import { cacheOffsets } from './cache-offsets.ts';
import { answerTo, liveThrough, onDay, type Saying } from './live-through.ts';
import type { Person } from './people.ts';

export interface SimulationInput {
  people: readonly Person[];
  persona: Persona;
  days: number;
  seed: number;
  /** The first day, as `YYYY-MM-DD`: each person's begins at their own midnight. */
  from: string;
}

/** Something to come back to, and what kept it waiting while it was due. */
export interface PlayedIntention extends OpenIntention {
  status: 'open' | 'done' | 'dropped';
  /** Reasons it waited, by day on the person's own clock. */
  waits: Map<string, Set<WaitReason>>;
}

export interface SentOutreach {
  at: Date;
  intention: PlayedIntention;
  /** When the person spoke after it, within a day. */
  answeredAt: Date | null;
}

/** All that became of one person. */
export interface Story {
  person: Person;
  settings: OutreachSettings;
  start: DateTime;
  /** When they spoke, in order. */
  spoke: Date[];
  consent: { at: Date; optedIn: boolean }[];
  intentions: PlayedIntention[];
  sent: SentOutreach[];
  moods: { at: Date; pad: Pad }[];
}

// Rarer than the service looks by default: it decides the same, a few minutes later.
const SCAN_EVERY_MS = 5 * 60_000;
// As the service counts answers.
const ANSWER_WITHIN_MS = DAY_MS;
const MOOD_EVERY_MS = 2 * HOUR_MS;

/**
 * Plays the days of these people with a companion, on a clock of its own: what they say is read, felt and decided
 * on by the services' own functions; only what lies between them, stores and queues, is left out. The same seed
 * plays the same days.
 */
export function simulate({ people, persona, days, seed, from }: SimulationInput): Story[] {
  cacheOffsets();
  const lives = people.map((person, place) => new Life(person, days, from, new Random(seed * 1_000 + place)));
  const begin = Math.min(...lives.map((life) => life.begin.getTime()));
  const end = Math.max(...lives.map((life) => life.end.getTime()));
  const feelings = new Feelings(persona, new Date(begin));
  for (let time = begin; time < end; time += SCAN_EVERY_MS) {
    const now = new Date(time);
    for (const life of lives) {
      if (now < life.begin || now >= life.end) continue;
      for (const { at, text } of life.hear(now)) feelings.hear(life.story.person.name, text, at);
      life.decide(now);
      if ((time - begin) % MOOD_EVERY_MS === 0) {
        life.story.moods.push({ at: now, pad: feelings.towards(life.story.person.name, now) });
      }
    }
  }
  return lives.map(({ story }) => story);
}

/** One person's side of the scheduler: what its tables would hold, and what changes them. */
class Life {
  readonly story: Story;
  readonly begin: Date;
  readonly end: Date;
  private readonly random: Random;
  private ahead: Saying[];
  private consentAhead: { at: Date; optedIn: boolean }[];
  private unanswered = 0;

  constructor(person: Person, days: number, from: string, random: Random) {
    const start = DateTime.fromISO(from, { zone: person.zone });
    const { optsInOnDay, optsOutOnDay, settings } = person;
    this.random = random;
    this.ahead = liveThrough(person, days, start, random);
    this.begin = start.toJSDate();
    this.end = start.plus({ days }).toJSDate();
    this.consentAhead = [
      ...(optsInOnDay === null ? [] : [{ at: onDay(start, optsInOnDay, '00:00'), optedIn: true }]),
      ...(optsOutOnDay === null ? [] : [{ at: onDay(start, optsOutOnDay, '12:00'), optedIn: false }]),
    ];
    this.story = {
      person,
      start,
      settings: {
        optedIn: false,
        direct: true,
        channel: null,
        timeZone: person.zone,
        quietFrom: settings.quietFrom ?? '22:00',
        quietUntil: settings.quietUntil ?? '08:00',
        dailyCap: settings.dailyCap ?? 1,
        weeklyCap: settings.weeklyCap ?? 5,
        topicsOff: settings.topicsOff ?? [],
      },
      spoke: [],
      consent: [],
      intentions: [],
      sent: [],
      moods: [],
    };
  }

  /** Plays what the person says and allows up to now. Returns their messages. */
  hear(now: Date): Saying[] {
    while (this.consentAhead[0] && this.consentAhead[0].at <= now) this.consent(this.consentAhead.shift()!);
    const heard: Saying[] = [];
    while (this.ahead[0] && this.ahead[0].at <= now) heard.push(this.ahead.shift()!);
    for (const saying of heard) this.notice(saying);
    return heard;
  }

  private consent(change: { at: Date; optedIn: boolean }): void {
    const { story } = this;
    story.consent.push(change);
    story.settings.optedIn = change.optedIn;
    if (!change.optedIn) {
      for (const intention of this.open()) intention.status = 'dropped';
    }
  }

  private notice({ text, reply, at }: Saying): void {
    const { story } = this;
    story.spoke.push(at);
    this.unanswered = 0;
    for (const message of story.sent) {
      if (at.getTime() - message.at.getTime() <= ANSWER_WITHIN_MS) message.answeredAt ??= at;
    }
    const said = (words: string) => (words === '' ? [] : [{ text: words, saidAt: at }]);
    for (const reason of noticeReasons(
      { person: said(text), companion: said(reply) },
      story.settings.timeZone,
    )) {
      const id = `${story.person.name} ${story.intentions.length + 1}`;
      const kept = { ...reason, id, companionId: 'mira', audience: 'direct', notBefore: null, createdAt: at };
      story.intentions.push({ ...kept, status: 'open', waits: new Map() });
    }
  }

  /** Decides as a scan does, and sends what is decided. */
  decide(now: Date): void {
    const { story } = this;
    for (const intention of this.open())
      if (isOverdue(intention, now, story.settings.timeZone)) intention.status = 'dropped';
    // As the service does: a little ahead, for what falls due right before quiet hours.
    const soon = this.open().filter(({ dueAt }) => dueAt.getTime() <= now.getTime() + LAST_CALL_MS);
    if (soon.length === 0) return;
    const decision = decideOutreach({
      personId: story.person.name,
      settings: story.settings,
      restriction: { ageState: story.person.ageState, restUntil: null },
      intentions: this.open(),
      attempts: story.sent.map(({ at, answeredAt, intention: { kind } }): EarlierAttempt => ({
        kind,
        status: 'sent',
        decidedAt: at,
        answeredAt,
      })),
      isBusy: false,
      unanswered: this.unanswered,
      lastSpokeAt: story.spoke.at(-1) ?? null,
      unreachable: null,
      isChannelOff: false,
      now,
    });
    if (decision.kind === 'wait') {
      const day = dayOf(now, story.person.zone);
      for (const { waits } of soon) waits.set(day, (waits.get(day) ?? new Set()).add(decision.why));
      return;
    }
    const intention = soon.find(({ id }) => id === decision.intention.id)!;
    intention.status = 'done';
    story.sent.push({ at: now, intention, answeredAt: null });
    this.unanswered += 1;
    this.plan(answerTo(story.person, now, this.random));
  }

  private plan(answer: Saying | null): void {
    if (!answer || answer.at >= this.end) return;
    const place = this.ahead.findIndex(({ at }) => at > answer.at);
    this.ahead.splice(place === -1 ? this.ahead.length : place, 0, answer);
  }

  private open(): PlayedIntention[] {
    return this.story.intentions.filter(({ status }) => status === 'open');
  }
}
