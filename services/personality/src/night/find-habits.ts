import { firstOf, type QuirkKind } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { EVERYWHERE } from '../persona/quirk.js';
import { type SpokenWhere, placeOf, witnessesOf } from './witnesses.js';
import { subjectsIn } from './subjects-in.js';
import { openingsOf } from './openings-of.js';

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
 * several people came up with it in places of their own. Names, numbers, links and capitalised words can't become one.
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
          ...{ turnId: turn.turnId, personId: turn.personId, audience: turn.audience },
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
