import { firstOf, type QuirkKind } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { EVERYWHERE } from '../persona/quirk.js';
import { type SpokenWhere, placeOf, witnessesOf } from './witnesses.js';
import { isOrderWord } from '../persona/order-words.js';
import { isApology } from './is-apology.js';
import { textForRules, wordSet } from '@kith/reading';

/** One turn of a day, with what was said in it. Never of private talk. */
export interface DayTurn extends SpokenWhere {
  turnId: string;
  /** Names in it: nobody is a habit. */
  names: readonly string[];
  /** The companion enjoyed it. */
  pleasant: boolean;
  said: readonly string[];
  replies: readonly string[];
}

/** Something that came up again and again, with the turns that may stand for it. */
export interface Habit {
  kind: QuirkKind;
  text: string;
  /** The channel it may show in, or `EVERYWHERE`. */
  audience: string;
  sources: readonly (SpokenWhere & { turnId: string })[];
}

/** A word in fewer turns of a day is chance. */
const MIN_TURNS = 3;

/** Whoever reads a channel may have heard it: two people make it the place's talk and no longer one person's. */
const MIN_CHANNEL_PEOPLE = 2;

/**
 * Finds the day's habits: subjects of turns that the companion enjoyed, and openings of its own replies. What is said in
 * one place is for those who hear it there: a habit shows in the channel whose people it comes from, or everywhere once
 * several people came up with it in places of their own. Names, numbers, links, capitalised words and apologies can't
 * become one.
 */
export function findHabits(turns: readonly DayTurn[]): Habit[] {
  const names = new Set(
    turns.flatMap((turn) => turn.names).flatMap((name) => readWords(name).map(({ form }) => form)),
  );
  const isOfNames = (text: string) => readWords(text).some(({ form }) => names.has(form));
  const found = turns.flatMap((turn) => [
    ...(turn.pleasant ? [...subjectsIn(turn.said)] : [])
      .filter((word) => !names.has(word))
      .map((text) => ({ kind: 'interest' as const, text, turn })),
    ...openingsOf(turn.replies)
      .filter((opening) => !isOfNames(opening))
      .map((text) => ({ kind: 'speech' as const, text, turn })),
  ]);
  return [...Map.groupBy(found, ({ kind, text }) => `${kind} ${text}`).values()]
    .flatMap((same) => {
      const { kind, text } = firstOf(same);
      const heard = whereItShows([...new Set(same.map(({ turn }) => turn))]);
      return heard.map(({ audience, turns: from }) => {
        const sources = from.map((turn) => ({
          turnId: turn.turnId,
          personId: turn.personId,
          audience: turn.audience,
        }));
        return { kind, text, audience, sources };
      });
    })
    .filter(({ sources }) => sources.length >= MIN_TURNS)
    .sort((one, other) => other.sources.length - one.sources.length || (one.text < other.text ? -1 : 1));
}

/** Lists the places where a habit of these turns may show, each with the turns that it rests on there. */
function whereItShows(turns: readonly DayTurn[]): { audience: string; turns: readonly DayTurn[] }[] {
  const witnesses = witnessesOf(turns);
  if (witnesses) {
    return [
      { audience: EVERYWHERE, turns: turns.filter((turn) => witnesses.get(turn.personId) === placeOf(turn)) },
    ];
  }
  const inChannels = turns.filter(({ audience }) => audience !== 'direct');
  return [...Map.groupBy(inChannels, ({ audience }) => audience)]
    .map(([audience, heard]) => ({ audience, turns: heard }))
    .filter(({ turns: heard }) => new Set(heard.map(({ personId }) => personId)).size >= MIN_CHANNEL_PEOPLE);
}

/** An opening of two to four words, up to the first mark: "okay, but" is `okay but`, with its comma. */
const OPENING = /^[\p{L}' -]{2,40}(?=[,.:;!?…—–])/u;

/** Room for an opening of 40 characters and the mark after it. */
const MAX_OF_OPENING = 100;

/** A capital letter after the first word, other than in "I". */
const NAME_WITHIN = /\s(?!I\b)\p{Lu}/u;

/** Returns the openings of replies, of two to four words, without names and words of orders. */
function openingsOf(replies: readonly string[]): string[] {
  return replies.flatMap((reply) => {
    const opening = OPENING.exec(reply.slice(0, MAX_OF_OPENING))?.[0].trim() ?? '';
    const words = opening.toLowerCase().split(/\s+/);
    if (words.length < 2 || words.length > 4 || NAME_WITHIN.test(opening) || isApology(opening)) return [];
    const parts = words.flatMap((word) => word.split(/[-']/));
    return parts.some(isOrderWord) ? [] : [words.join(' ')];
  });
}

/** Words that people say with pleasure, and that name no subject. */
const TOO_PLAIN =
  wordSet(`always amazing anything awesome beautiful best better today tomorrow yesterday tonight morning evening night
  week weekend month year time everyone everything favorite favourite feel feeling feels friend friends funny glad
  guess guys happy hate haha hope idea kind life like liked little look looking lot lovely love loved loves maybe
  mean mine morning never nice nothing people perfect person place please pretty right sad someone something sorry
  stuff super sure sweet take tell them think total totally tried trying used wait want wanted week wonderful work
  world would years yesterday talk talking told glad excited enjoy enjoyed`);

/** Marks between the clauses of a text. */
const BETWEEN_CLAUSES = /[,.:;!?…\n—–]+/u;

/** Returns words that can be the subject of a text: of some length, and in lower case as no name is. */
function subjectsIn(texts: readonly string[]): Set<string> {
  const words = texts
    .flatMap((text) => withoutLinks(textForRules(text)).split(BETWEEN_CLAUSES))
    .filter((clause) => !isApology(clause))
    .flatMap((clause) => clause.match(/(?<![\p{L}\p{N}'’@#/])\p{Ll}{5,20}(?![\p{L}\p{N}'’])/gu) ?? []);
  return new Set(
    words.filter(
      (word) =>
        !TOO_PLAIN.has(word) &&
        readWords(word).every(({ isStopWord, isUnspaced }) => !isStopWord && !isUnspaced),
    ),
  );
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\S+/g, (word) => (/.[@/.]./su.test(word) ? ' ' : word));
}
