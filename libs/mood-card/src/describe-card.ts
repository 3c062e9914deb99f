import {
  moodInWords,
  signed,
  type CompanionView,
  type personalityContract,
  type ResponseOutput,
} from '@kith/contracts';
import { MAX_EVENTS, spanOf } from './mood-plot.js';
import { movingEvents } from './moving-events.js';

/** Facts of a card: a companion, and its mood towards the viewer. */
export interface MoodCardFacts {
  companion: Pick<CompanionView, 'name' | 'traits' | 'timeZone'>;
  mood: Pick<ResponseOutput<typeof personalityContract.mood>, 'now' | 'series' | 'bond'>;
}

/** The card in words: the mood, where it stands on each axis, what moved it, and what is between the two. */
export function describeCard({ companion, mood }: MoodCardFacts): string {
  const { now, series, bond } = mood;
  const { p, a, d } = now.pad;
  const events = movingEvents(series, MAX_EVENTS, spanOf(series).apartMs).map(({ emotion }) => emotion);
  return [
    `${companion.name} is ${moodInWords(now)}:`,
    `pleasure ${signed(p)}, arousal ${signed(a)}, dominance ${signed(d)}.`,
    events.length > 0 ? `Changed most by ${events.join(', ')}.` : 'Nothing you said changed it lately.',
    bond && bond.interactions > 0
      ? `Between you: familiarity ${percent(bond.familiarity)}, affection ${percent(bond.affection)}, trust ${percent(bond.trust)}.`
      : 'You have not talked yet.',
  ].join(' ');
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
