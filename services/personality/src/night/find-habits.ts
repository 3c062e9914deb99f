import { firstOf, type QuirkKind } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { subjectsIn } from './subjects-in.js';
import { openingsOf } from './openings-of.js';

/** One turn of a day, with what was said in it. Never of private talk. */
export interface DayTurn {
  turnId: string;
  personId: string;
  /** Names in it: nobody is a habit. */
  names: readonly string[];
  isChannel: boolean;
  /** The companion enjoyed it. */
  pleasant: boolean;
  said: readonly string[];
  replies: readonly string[];
}

/** Something that came up again and again, with the turns that may stand for it. */
export interface Habit {
  kind: QuirkKind;
  text: string;
  sources: readonly { turnId: string; personId: string }[];
}

/** A word in fewer turns of a day is chance. */
const MIN_TURNS = 3;

/** In a channel everybody may have heard it: two people make it the place's talk and no longer one person's. */
const MIN_CHANNEL_PEOPLE = 2;

/** A habit of this many people, each on their own, gives nothing away of any of them. */
const MIN_PEOPLE = 3;

/**
 * Finds the day's habits: subjects of turns that the companion enjoyed, and openings of its own replies. Words that one
 * person says alone with the companion are nobody else's to hear of: a habit has people from channels behind it, or
 * several people who each came up with it (`mayBeShown`). Names, numbers, links and capitalised words can't become one.
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
    .map((same) => {
      const { kind, text } = firstOf(same);
      return { kind, text, sources: mayBeShown([...new Set(same.map(({ turn }) => turn))]) };
    })
    .filter(({ sources }) => sources.length >= MIN_TURNS)
    .sort((one, other) => other.sources.length - one.sources.length || (one.text < other.text ? -1 : 1));
}

/** Selects the turns whose habit others may see: all when enough people came up with it, else those of channels. */
function mayBeShown(turns: readonly DayTurn[]): Habit['sources'] {
  const inChannels = turns.filter(({ isChannel }) => isChannel);
  const shown =
    peopleIn(turns) >= MIN_PEOPLE ? turns : peopleIn(inChannels) >= MIN_CHANNEL_PEOPLE ? inChannels : [];
  return shown.map(({ turnId, personId }) => ({ turnId, personId }));
}

function peopleIn(turns: readonly DayTurn[]): number {
  return new Set(turns.map(({ personId }) => personId)).size;
}
