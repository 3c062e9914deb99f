import type { LoreEntry, LoreHit } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';

/** Entry that is called up, and by which of its keys; null for one that is constant. */
type Called = { entry: LoreEntry; key: string | null };

/** Rounds in which entries call up others: a longer chain has left what the talk is about. */
const MAX_ROUNDS = 3;

/**
 * Finds the lore that a talk calls up: entries that are constant, or have a key in the texts, and a secondary key where
 * they have any. Of more than fit, those of higher priority stay; they are told in the order of insertion. Pure.
 * @param texts what was said lately, in any order
 */
export function matchLore(
  entries: readonly LoreEntry[],
  { texts, maxTokens }: { texts: readonly string[]; maxTokens: number },
): LoreHit[] {
  const waiting = new Set(entries.filter(({ enabled }) => enabled));
  const called = callUp(waiting, texts, () => true);
  let last = called;
  for (let round = 1; round < MAX_ROUNDS && last.length > 0; round++) {
    last = callUp(
      waiting,
      last.map(({ entry }) => entry.content),
      ({ recursive }) => recursive,
    );
    called.push(...last);
  }
  return withinBudget(called, maxTokens)
    .toSorted((a, b) => a.entry.insertionOrder - b.entry.insertionOrder)
    .map(({ entry: { id, name, content }, key }) => ({ id, name, content, key }));
}

/** Finds those waiting that these texts call up, and takes them out. */
function callUp(
  waiting: Set<LoreEntry>,
  texts: readonly string[],
  may: (entry: LoreEntry) => boolean,
): Called[] {
  const said = texts.join('\n').normalize('NFKC');
  const talk = { said, folded: said.toLowerCase() };
  const called: Called[] = [];
  for (const entry of waiting) {
    if (!may(entry)) continue;
    const has = (key: string) => isSaid(key, entry.caseSensitive, talk);
    const key = entry.constant ? null : entry.keys.find(has);
    const isCalled = entry.constant || entry.secondaryKeys.length === 0 || entry.secondaryKeys.some(has);
    if (key === undefined || !isCalled) continue;
    waiting.delete(entry);
    called.push({ entry, key });
  }
  return called;
}

/** Scripts without spaces have no word ends to look for. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;

/** Tells whether a key stands in the talk as whole words. */
function isSaid(key: string, caseSensitive: boolean, talk: { said: string; folded: string }): boolean {
  const exact = key.normalize('NFKC');
  const [wanted, text] = caseSensitive ? [exact, talk.said] : [exact.toLowerCase(), talk.folded];
  const isUnspaced = UNSPACED.test(wanted);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (isUnspaced) return true;
    const isWithin = (edge: number) => LETTER.test(text.charAt(edge - 1)) && LETTER.test(text.charAt(edge));
    if (!isWithin(at) && !isWithin(at + wanted.length)) return true;
  }
  return false;
}

/** Chooses what fits, the highest priority first; one that does not leaves its room to smaller ones. */
function withinBudget(called: readonly Called[], maxTokens: number): Called[] {
  let room = maxTokens;
  return called
    .toSorted((a, b) => b.entry.priority - a.entry.priority)
    .filter(({ entry }) => {
      const tokens = estimateTokens(entry.content);
      if (tokens > room) return false;
      room -= tokens;
      return true;
    });
}
