import { cutAtSentence } from './texts.js';

/** One line of example dialogue, or of a longer talk. */
export interface DraftLine {
  who: 'person' | 'companion';
  text: string;
}

/** Limits of a persona's example dialogue: see `persona.ts`. */
export const MAX_LINE = 600;
export const MAX_EXCHANGES = 12;
const MAX_LINES_OF_EXCHANGE = 8;

/** Cuts a talk into exchanges as a persona has them: each begins with the person, and the companion answers. */
export function exchangesOf(lines: readonly DraftLine[]): DraftLine[][] {
  const merged: DraftLine[] = [];
  for (const line of lines.filter(({ text }) => text !== '')) {
    const last = merged.at(-1);
    if (last?.who === line.who) last.text = cutAtSentence(`${last.text}\n${line.text}`, MAX_LINE);
    else merged.push({ ...line });
  }
  if (merged[0]?.who === 'companion') merged.shift();
  const exchanges: DraftLine[][] = [];
  for (let at = 0; at < merged.length; at += MAX_LINES_OF_EXCHANGE) {
    const lines = merged.slice(at, at + MAX_LINES_OF_EXCHANGE);
    if (lines.length >= 2) exchanges.push(lines);
  }
  return exchanges;
}
