import { DateTime } from 'luxon';
import { cutAbout } from './cut-about.js';
import { type ComeBackRequest, findRequests, withoutJoiners } from './find-requests.js';
import { MAX_AHEAD_DAYS } from './max-ahead-days.js';
import { readSentences, type Sentence } from './read-sentences.js';
import { decideDueTime } from './decide-due-time.js';
import { POINTS_BACK } from './is-request-to-return.js';

/** One message of a person's, as the transcript has it. */
export interface SaidMessage {
  text: string;
  saidAt: Date;
}

/** Something to come back to, and when. */
export interface NoticedIntention {
  /** In the person's own words. */
  about: string;
  dueAt: Date;
  /** The hour was named; otherwise only the day was. */
  exact: boolean;
  /** The day or hour is one that their clock shows; false for a span counted from when it was said. */
  byClock: boolean;
}

// More than this in one turn is a list or a joke, and each would be a message of its own.
const MAX_PER_TURN = 5;

/**
 * Finds what a person asked a companion to come back to: "ask me tomorrow how the interview went",
 * "remind me on Friday to call mum", "check in on me in 2 hours". In English, and in what is read as such; a repeating
 * request is taken once.
 *
 * Dates are read against when each message was said, on the person's own clock. Precision goes first: a message
 * nobody asked for is worse than a reminder that was not understood.
 */
export function noticeIntentions(messages: readonly SaidMessage[], timeZone: string): NoticedIntention[] {
  const noticed = messages.map((message) => noticeInMessage(message, timeZone));
  // A request that is said again in a later message counts from there.
  const latest = noticed.flatMap((some, index) => {
    const later = new Set(noticed.slice(index + 1).flatMap((others) => others.map(({ about }) => about)));
    return some.filter(({ about }) => !later.has(about));
  });
  // Two requests of one translated sentence have the same words.
  const unique = new Map(latest.map((one) => [`${one.dueAt.toISOString()} ${one.about}`, one]));
  return [...unique.values()].slice(0, MAX_PER_TURN);
}

function noticeInMessage({ text, saidAt }: SaidMessage, timeZone: string): NoticedIntention[] {
  const said = DateTime.fromJSDate(saidAt, { zone: timeZone });
  const sentences = readSentences(text);
  return sentences.flatMap((sentence, index) => {
    const before = sentences[index - 1] ?? { said: '', english: '' };
    return findRequests(sentence.english).flatMap((request) => {
      const due = decideDueTime(request, before.english, said);
      if (!due || due.at <= said || due.at > said.plus({ days: MAX_AHEAD_DAYS })) return [];
      const about = describe(request, sentence, before);
      return about === ''
        ? []
        : [{ about, dueAt: due.at.toJSDate(), exact: due.exact, byClock: due.byClock }];
    });
  });
}

/** Words the request as the person did, with the words that its "it" refers to. */
function describe({ lead, phrase, rest }: ComeBackRequest, { said }: Sentence, before: Sentence) {
  const pointsBack = POINTS_BACK.test(rest);
  // Of words that were turned into English, only the whole sentence is in their own.
  if (![pointsBack ? lead : '', phrase].every((words) => said.includes(words)))
    return cutAbout(pointsBack ? `${before.said} ${said}` : said);
  const context = withoutJoiners(lead, ',;:–—-').trim();
  const parts = pointsBack ? [context === '' ? before.said : `${context}.`, phrase] : [phrase];
  return cutAbout(parts.join(' '));
}
