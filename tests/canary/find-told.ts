/** A word that was told and forgotten, and what is to be heard of it since. */
export interface ForgottenWord {
  word: string;
  /** Way it was forgotten, in words for the report. */
  kind: string;
  /** The door it was told at. */
  place: string;
  /** The model's requests, counted from the first: from this one on the word is gone. */
  goneFrom: number;
  /** From this one on it is back, for what was undone; null for what is gone for good. */
  backFrom: number | null;
  /** Places where it is not to be told, while other places may tell it; everywhere by default. */
  where?: RegExp | undefined;
  /** True for what was seen to be told some other way than in a prompt. */
  isProven?: boolean | undefined;
}

/** A text that somebody was given after the forgetting: which door, and the words. */
export interface Telling {
  where: string;
  text: string;
}

export interface ToldAgain {
  kind: string;
  place: string;
  word: string;
  where: string;
}

/** `zorb12x345678`: what is told to be forgotten. No text has it by chance, and to a search it is one word. */
export const FORGOTTEN_WORD = /zorb\d+x\d{6}/g;

/** Finds forgotten words that were told again, and undone ones that are not back. */
export function findTold(
  words: readonly ForgottenWord[],
  { prompts, tellings }: { prompts: readonly Telling[]; tellings: readonly Telling[] },
): ToldAgain[] {
  return words.flatMap(({ word, kind, place, goneFrom, backFrom, where }) => {
    const holds = (telling: Telling) =>
      telling.text.toLowerCase().includes(word) && (where?.test(telling.where) ?? true);
    const tell = (at: string): ToldAgain => ({ kind, place, word, where: at });
    const heard = prompts.slice(goneFrom, backFrom ?? undefined).filter(holds);
    if (backFrom === null) heard.push(...tellings.filter(holds));
    const wheres = [...new Set(heard.map(({ where }) => where))];
    if (backFrom === null) return wheres.map(tell);
    if (!prompts.slice(backFrom).some(holds)) wheres.push('not back in any prompt after its undo');
    if (!tellings.some(holds)) wheres.push('not back in any answer after its undo');
    return wheres.map(tell);
  });
}

/** The words that no prompt held before they were forgotten: of those nothing is proven. */
export function findUnheard(words: readonly ForgottenWord[], prompts: readonly Telling[]): ForgottenWord[] {
  return words.filter(
    ({ word, goneFrom, isProven }) =>
      !isProven && !prompts.slice(0, goneFrom).some(({ text }) => text.includes(word)),
  );
}

/**
 * The scripted model's answer where things are forgotten: the mark it was asked about, and every word it was shown, so
 * that replies repeat what is to be forgotten, and one that should not have been shown is heard at the door as well.
 * @param ownWords what it says of its own accord, by the mark it is asked with
 */
export function retell(
  messages: readonly { text: string }[],
  ownWords: ReadonlyMap<string, string> = new Map(),
): string {
  const marks = messages.at(-1)?.text.match(FORGETTING_MARK) ?? [];
  const shown = new Set(messages.flatMap(({ text }) => text.match(FORGOTTEN_WORD) ?? []));
  for (const mark of marks) if (ownWords.has(mark)) shown.add(ownWords.get(mark)!);
  return [
    `I hear you: ${marks.join(' ')}`,
    ...(shown.size > 0 ? [`I think of ${[...shown].join(', ')}.`] : []),
  ].join(' ');
}

/** `[f17]`: in every message about what is forgotten, so that prompts and replies can be told whose they are. */
export const FORGETTING_MARK = /\[f\d+\]/g;
