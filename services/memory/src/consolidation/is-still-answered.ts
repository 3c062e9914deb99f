import { analyseIn, languageOf, wordsOf } from '../words/analyse-text.js';

/** Asks recall without the memories that would go; the best result comes first. */
export type AskMemory = (question: string) => Promise<readonly { text: string }[]>;

interface Question {
  /** The text without one of its words. */
  question: string;
  /** The word as recall analyses it. */
  answer: string;
}

/** Results among which the answer has to be: a prompt has some eight. */
const LOOKED_AT = 5;
/** Questions that are asked of a memory, but for words that only it has: each costs a recall. */
const MAX_QUESTIONS = 8;

/**
 * Makes questions that a text answers: each leaves out one of its telling words. Takes all words that the kept text
 * lacks, and where these are few also the longest, which tell most. Pure.
 */
export function questionsOf(text: string, kept: string): Question[] {
  const language = languageOf(text);
  const has = new Set(analyseIn(kept, language));
  const words = wordsOf(text);
  const telling = [...new Set(words)].flatMap((word) => {
    const [answer] = analyseIn(word, language);
    return answer === undefined ? [] : [{ word, answer }];
  });
  const lacking = telling.filter(({ answer }) => !has.has(answer));
  return [...new Set([...lacking, ...telling.toSorted((a, b) => b.word.length - a.word.length)])]
    .slice(0, Math.max(MAX_QUESTIONS, lacking.length))
    .map(({ word, answer }) => ({ question: words.filter((other) => other !== word).join(' '), answer }))
    .filter(({ question }) => question !== '');
}

/** Tells whether a memory may go for another: only if what is left still answers each question that it answers. */
export async function isStillAnswered(text: string, kept: string, ask: AskMemory): Promise<boolean> {
  const language = languageOf(text);
  for (const { question, answer } of questionsOf(text, kept)) {
    const found = (await ask(question)).slice(0, LOOKED_AT);
    if (!found.some((memory) => analyseIn(memory.text, language).includes(answer))) return false;
  }
  return true;
}
