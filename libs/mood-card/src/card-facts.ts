import type { CompanionView, personalityContract, ResponseOutput } from '@kith/contracts';

/** Facts of a card: a companion, and its mood towards the viewer. */
export interface MoodCardFacts {
  companion: Pick<CompanionView, 'name' | 'traits' | 'timeZone'>;
  mood: Pick<ResponseOutput<typeof personalityContract.mood>, 'now' | 'series' | 'bond'>;
}
