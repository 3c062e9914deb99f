import { readAsEnglish, textForRules } from '@kith/reading';
import { wordsOf } from './analyse-text.js';

/** Signs that a statement is worth keeping in mind, and the points of each. */
interface ImportanceSign {
  points: number;
  patterns: readonly RegExp[];
}

// Signs of what a friend would be embarrassed to have forgotten. They are in English, into which `readAsEnglish` puts some
// languages; texts in others score by length, names and numbers alone.
const SIGNS: readonly ImportanceSign[] = [
  {
    points: 2.5,
    patterns: [
      // What turns a life.
      /\b(married|wedding|engaged|divorced?|pregnant|baby|died|passed away|funeral|diagnos\w+|cancer|hospital|surgery|graduat\w+|got (?:the|a|my) job|new job|quit my job|lost my job|fired|laid off|promot(?:ed|ion)|moved to|moving to|broke up|adopted|retir\w+)\b/i,
    ],
  },
  {
    points: 2,
    patterns: [
      // Who they are: "I'm a nurse", "my name is", "I live in".
      /\b(i am|i'm|i’m|my name|call me|i live|i work|i was born|i grew up|i study|i have (a|an|two|three))\b/i,
    ],
  },
  {
    points: 1.5,
    patterns: [
      // The people and animals of their life.
      /\bmy (?:\w+ )?(mother|mom|mum|father|dad|parents?|brother|sister|son|daughter|kids?|child(?:ren)?|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|friend|grand\w+|aunt|uncle|cousin|boss|dog|cat|pet)s?\b/i,
      // Likes, dislikes, and what must not be got wrong.
      /\b(i (?:really )?(?:love|hate|prefer|adore|enjoy|like|dislike|can't stand|can’t stand)|favou?rite|allergic|vegetarian|vegan)\b/i,
      // Feelings.
      /\b(afraid|scared|anxious|worried|depress\w+|lonely|grie\w+|heartbroken|sad|angry|furious|ashamed|proud|happy|excited|thrilled|grateful|in love|stressed|overwhelmed|hopeless|hurt)\b/i,
    ],
  },
  {
    points: 1,
    patterns: [
      // Promises and plans.
      /\b(promise\w*|remember (?:that|this|my)|don't forget|don’t forget|i plan|i'm going to|i’m going to|i will|my goal|i want to)\b/i,
      // When: a date, a month, a day to come.
      /\b(\d{4}-\d{2}-\d{2}|(?:19|20)\d{2}|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next (?:week|month|year)|birthday|anniversary)\b/i,
    ],
  },
  {
    points: 0.5,
    patterns: [
      // A name: a capital in the middle of a sentence. In scripts without capitals names don't show.
      /[\p{Ll},;] (?!I\b|I['’])\p{Lu}\p{Ll}{2,}/u,
    ],
  },
];

/**
 * Importance below which a memory is small talk and goes to the archive. In LoCoMo that is 38 % of the lines, and 18 % of
 * those that answer a question; with 4 it would be 75 % and 60 %. What states a liking or a feeling scores at least this.
 */
export const SMALL_TALK = 2.5;

/** Words from which a message says something at all (a short sentence), and says much (a few of them). */
const SOME_WORDS = 8;
const MANY_WORDS = 30;

/**
 * Scores how much a statement would be missed: 1 (small talk) to 10 (life-changing), in halves. A quick guess without a
 * model; what it counts in recall is bounded (memory-ranking.ts).
 */
export function scoreImportance(said: string): number {
  const text = textForRules(said);
  const words = wordsOf(text).length;
  let points = 1;
  if (words >= SOME_WORDS) points += 1;
  if (words >= MANY_WORDS) points += 1;
  const { text: english } = readAsEnglish(text);
  for (const { points: each, patterns } of SIGNS)
    points += each * patterns.filter((pattern) => pattern.test(english)).length;
  // A bare question tells little of who asks it.
  if (/[?？]\s*$/.test(text) && words < MANY_WORDS) points -= 1.5;
  return Math.min(10, Math.max(1, points));
}
