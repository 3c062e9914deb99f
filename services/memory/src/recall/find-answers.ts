import { analyseText } from '../words/analyse-text.js';
import { inOrder, type SpokenMemory } from '../words/neighbours.js';
import type { Question } from './read-question.js';

/** Longest pause between a question and its answer. After a longer one people mostly speak of something else. */
const MAX_PAUSE_MS = 2 * 60_000;
/** End of a line that asks: after its last question mark comes a picture at most. */
const ENDS_ASKING = /[?？]\s*(?:\[[^[\]]{0,400}\]\s*)?$/u;

interface AnswerLine extends SpokenMemory {
  text: string;
  speaker: string | null;
}

/**
 * Finds lines that answer: `about` said them right after somebody else had ended with a question. Maps the id of each to
 * the share of the asked words that this question has. Pure.
 * @param lines those found: a question that has the words is among them
 */
export function findAnswers(
  lines: readonly AnswerLine[],
  { terms, about }: Pick<Question, 'terms' | 'about'>,
): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  const asked = new Set(terms);
  if (about === null || asked.size === 0) return answers;
  const isTheirs = ({ speaker }: AnswerLine) => speaker !== null && about.includes(speaker);
  const last = new Map<string, AnswerLine>();
  for (const line of lines.toSorted(inOrder)) {
    if (line.conversation === null) continue;
    const before = last.get(line.conversation);
    last.set(line.conversation, line);
    if (!isTheirs(line) || !before || isTheirs(before)) continue;
    if (line.saidAt.getTime() - before.saidAt.getTime() > MAX_PAUSE_MS || !ENDS_ASKING.test(before.text))
      continue;
    const words = new Set(analyseText(before.text));
    answers.set(line.id, [...asked].filter((term) => words.has(term)).length / asked.size);
  }
  return answers;
}
