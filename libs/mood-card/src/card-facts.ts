import type { CompanionView, personalityContract, ResponseOutput } from '@kith/contracts';

/** What a card shows: a companion, and its mood towards whoever asks. */
export interface MoodCardFacts {
  companion: Pick<CompanionView, 'name' | 'traits' | 'timeZone'>;
  mood: Pick<ResponseOutput<typeof personalityContract.mood>, 'now' | 'series' | 'relationship'>;
}
