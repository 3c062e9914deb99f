import { analyseText } from '../words/analyse-text.js';

/** Longest pause between a question and its answer in a talk. After it one mostly speaks of something else. */
const MAX_PAUSE_MS = 2 * 60_000;
/** A line's end: what comes after its last question is a picture at most. */
const ENDS_ASKING = /[?？]\s*(?:\[[^[\]]{0,400}\]\s*)?$/u;

interface Line {
  id: string;
  text: string;
  speaker: string | null;
  conversation: string | null;
  saidAt: Date;
}

/**
 * Finds lines that answer: `about` said them right after another ended with a question. Of each, the share of the
 * asked words that this question has. Pure.
 * @param lines those found, as a question that has the words is found itself
 */
export function findAnswers(
  lines: readonly Line[],
  { terms, about }: { terms: readonly string[]; about: string | null },
): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  const asked = new Set(terms);
  if (about === null || asked.size === 0) return answers;
  const inOrder = lines.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime() || (a.id < b.id ? -1 : 1));
  const last = new Map<string, Line>();
  for (const line of inOrder) {
    if (line.conversation === null) continue;
    const before = last.get(line.conversation);
    last.set(line.conversation, line);
    if (line.speaker !== about || !before || before.speaker === about) continue;
    if (line.saidAt.getTime() - before.saidAt.getTime() > MAX_PAUSE_MS || !ENDS_ASKING.test(before.text))
      continue;
    const words = new Set(analyseText(before.text));
    answers.set(line.id, [...asked].filter((term) => words.has(term)).length / asked.size);
  }
  return answers;
}
