import { DAY_MS, HOUR_MS, type WaitReason } from '@kith/contracts';
import { clockOf, dayOf, isWithin } from './clock.ts';
import type { PlayedIntention, Story } from './simulate.ts';

/** A rule that was broken, and how. */
export interface Breach {
  rule: string;
  person: string;
  detail: string;
}

const WEEK = 7;
// What is due a minute before midnight and comes a few minutes after it is on time.
const ON_TIME_MS = HOUR_MS;
// Nobody gets more than this in a row without a word of theirs.
const MAX_UNANSWERED = 2;

/** Excuses of a promise that was not kept on its day: the person, or a limit, forbade it. */
const EXCUSES: ReadonlySet<WaitReason> = new Set<WaitReason>([
  'not opted in',
  'minor',
  'rest',
  'unreachable',
  'unanswered',
  'daily cap',
  'weekly cap',
]);

/** Every rule that outreach must hold, against what the people of a simulation went through. */
export function checkStories(stories: readonly Story[], days: number): Breach[] {
  return stories.flatMap((story) => {
    const breach = (rule: string, details: readonly string[]): Breach[] =>
      details.map((detail) => ({ rule, person: story.person.name, detail }));
    return [
      ...breach('only with consent', withoutConsent(story)),
      ...breach('never in quiet hours', inQuietHours(story)),
      ...breach('never to a minor', toMinor(story)),
      ...breach('within the caps', [...overDailyCap(story), ...overWeeklyCap(story)]),
      ...breach('two unanswered at most', unanswered(story)),
      ...breach('promises on their day', late(story, days)),
      ...breach('moods within the space', outOfSpace(story)),
    ];
  });
}

function withoutConsent({ sent, consent }: Story): string[] {
  return sent
    .filter(({ at }) => !(consent.findLast((change) => change.at <= at)?.optedIn ?? false))
    .map(({ at }) => at.toISOString());
}

function inQuietHours({ sent, settings, person }: Story): string[] {
  return sent
    .map(({ at }) => clockOf(at, person.zone))
    .filter((clock) => isWithin(clock, settings.quietFrom, settings.quietUntil));
}

function toMinor({ sent, person }: Story): string[] {
  return person.ageState === 'minor' ? sent.map(({ at }) => at.toISOString()) : [];
}

function overDailyCap({ sent, settings, person }: Story): string[] {
  const byDay = Map.groupBy(sent, ({ at }) => dayOf(at, person.zone));
  return [...byDay]
    .filter(([, messages]) => messages.length > settings.dailyCap)
    .map(([day, messages]) => `${day}: ${messages.length} of ${settings.dailyCap}`);
}

/** Over any seven days in a row of the person's. */
function overWeeklyCap({ sent, settings, person }: Story): string[] {
  const days = sent.map(({ at }) => Date.parse(dayOf(at, person.zone)) / DAY_MS);
  return days.flatMap((first) => {
    const count = days.filter((day) => day >= first && day < first + WEEK).length;
    return count > settings.weeklyCap ? [`${count} of ${settings.weeklyCap} in a week`] : [];
  });
}

function unanswered({ sent, spoke }: Story): string[] {
  return sent.flatMap(({ at }) => {
    const since = spoke.findLast((time) => time <= at) ?? new Date(0);
    const inRow = sent.filter((one) => one.at > since && one.at <= at).length;
    return inRow > MAX_UNANSWERED ? [`${at.toISOString()} was the ${inRow}th in a row`] : [];
  });
}

/**
 * Finds promises and requests for a day that did not come that day, or within an hour, though nothing forbade it. Of
 * what is due in the last hour it is not known: it may come after the end.
 */
function late(story: Story, days: number): string[] {
  const end = story.start.plus({ days }).toJSDate();
  return story.intentions
    .filter(({ kind }) => kind === 'promise' || kind === 'request')
    .filter((intention) => intention.dueAt.getTime() + ON_TIME_MS < end.getTime())
    .filter((intention) => !isKept(intention, story) && !isExcused(intention, story))
    .map(({ about, dueAt, status }) => `${dueAt.toISOString()} ${about} (${status})`);
}

function isKept({ id, dueAt }: PlayedIntention, { sent, person }: Story): boolean {
  const message = sent.find(({ intention }) => intention.id === id);
  if (message === undefined) return false;
  const isOnTime = message.at.getTime() - dueAt.getTime() <= ON_TIME_MS;
  return isOnTime || dayOf(message.at, person.zone) === dayOf(dueAt, person.zone);
}

function isExcused({ dueAt, waits, status }: PlayedIntention, { person, settings, consent }: Story): boolean {
  if (status === 'dropped' && consent.some(({ at, optedIn }) => !optedIn && at <= dueAt)) return true;
  const days = [dueAt, new Date(dueAt.getTime() + ON_TIME_MS)].map((at) => dayOf(at, person.zone));
  const why = days.flatMap((day) => [...(waits.get(day) ?? [])]);
  if (why.some((reason) => EXCUSES.has(reason))) return true;
  return isWithin(clockOf(dueAt, person.zone), settings.quietFrom, settings.quietUntil);
}

function outOfSpace({ moods }: Story): string[] {
  return moods
    .filter(({ pad }) => Object.values(pad).some((value) => !(Math.abs(value) <= 1)))
    .map(({ at, pad }) => `${at.toISOString()}: ${JSON.stringify(pad)}`);
}
