import { cutText, lazy, personalityContract } from '@kith/contracts';
import { orNull } from '@kith/messaging';
import type { MoodCardFacts } from '@kith/mood-card';
import type { Command, CommandContext } from '../command.js';
import { describePersonality } from './companion-words.js';

const moodCard = lazy('the drawing of moods', () => import('@kith/mood-card'));

/** Discord's limit for the description of a file. */
const MAX_ALT_CHARACTERS = 1_024;

/** Tells who the companion is in words, and shows its mood as a card where the mood is in reach. */
export const personality: Command = {
  name: 'personality',
  description: 'Who the companion is, how it feels, what moved it, and what is between you',
  run: async (context) => {
    const { messenger, companionId, personId, now } = context;
    const [companion, mood] = await Promise.all([
      messenger.ask(personalityContract.companion, { companionId }),
      orNull(messenger.ask(personalityContract.mood, { companionId, personId, now: now.toISOString() })),
    ]);
    const content = describePersonality(companion, mood);
    return mood === null ? { content } : { content, files: await cardFile(context, { companion, mood }) };
  },
};

/** The card as a file; none where it can't be drawn: the words are there all the same. */
async function cardFile({ logger }: CommandContext, facts: MoodCardFacts) {
  try {
    const { drawMoodCard } = await moodCard();
    const { png, alt } = await drawMoodCard(facts);
    return [{ attachment: png, name: 'mood.png', description: cutText(alt, MAX_ALT_CHARACTERS) }];
  } catch (error) {
    logger.error({ err: error }, 'mood card not drawn');
    return [];
  }
}
