import { hash } from 'node:crypto';
import type { LoreEntry, LoreHit, LoreTexts } from '@kith/contracts';
import { expandMacros } from '@kith/characters';
import { estimateTokens } from '@kith/llm';
import { KeySearch } from './key-search.js';

/** Entry that is called up, and by which of its keys; null for one that is constant. */
type CalledEntry = { entry: LoreEntry; key: string | null };

/** Rounds in which entries call up others: a longer chain has left what the talk is about. */
const MAX_ROUNDS = 3;

/**
 * Finds the lore that a talk calls up: entries that are constant, or have a key in the texts, and a secondary key where
 * they have any. An entry with a probability is drawn for the turn. Where not all fit, the highest priorities stay, and of
 * one priority what the talk itself calls up, then the last in the order of insertion: world info of SillyTavern has that
 * order alone. They are returned in it, and beside them those that did not fit. Pure.
 * @param texts what was said lately, in any order
 */
export function matchLore(
  entries: readonly LoreEntry[],
  { texts, maxTokens, drawnBy }: LoreTexts,
): { hits: LoreHit[]; left: Omit<LoreHit, 'content'>[] } {
  const drawn = entries.filter((entry) => entry.enabled && isDrawn(entry, drawnBy));
  const waiting = new Set(drawn.toSorted((a, b) => b.insertionOrder - a.insertionOrder));
  let last = callUp(waiting, texts, () => true);
  const called = [...last];
  for (let round = 1; round < MAX_ROUNDS && last.length > 0; round++) {
    // Entries that do not fit call up nothing, so that a round reads no more than a prompt holds.
    const told = new Set(withinBudget(called, maxTokens));
    // Text as in a prompt, except for the two names: an author's note calls up nothing.
    const contents = last
      .filter((one) => told.has(one))
      .map(({ entry }) => expandMacros(entry.content, { name: '', person: '' }));
    last = contents.length === 0 ? [] : callUp(waiting, contents, ({ recursive }) => recursive);
    called.push(...last);
  }
  const told = new Set(withinBudget(called, maxTokens));
  const inOrder = called.toSorted((a, b) => a.entry.insertionOrder - b.entry.insertionOrder);
  return {
    hits: inOrder
      .filter((one) => told.has(one))
      .map(({ entry: { id, name, content }, key }) => ({ id, name, content, key })),
    left: inOrder.filter((one) => !told.has(one)).map(({ entry: { id, name }, key }) => ({ id, name, key })),
  };
}

/** Removes from `waiting` the entries that these texts call up, and returns them. */
function callUp(waiting: Set<LoreEntry>, texts: readonly string[], may: (entry: LoreEntry) => boolean) {
  const talk = new KeySearch(texts);
  const called: CalledEntry[] = [];
  for (const entry of waiting) {
    if (!may(entry)) continue;
    const has = (key: string) => talk.has(key, entry);
    const key = entry.constant ? null : entry.keys.find(has);
    const isCalled = entry.constant || entry.secondaryKeys.length === 0 || entry.secondaryKeys.some(has);
    if (key === undefined || !isCalled) continue;
    waiting.delete(entry);
    called.push({ entry, key });
  }
  return called;
}

/** Draws whether an entry is shown in a turn: a repeat for the same turn gives the same result. */
function isDrawn({ id, probability }: LoreEntry, drawnBy: string | undefined): boolean {
  if (probability === 0 || probability === 100 || drawnBy === undefined) return probability > 0;
  return hash('sha256', `${drawnBy} ${id}`, 'buffer').readUInt32BE() % 100 < probability;
}

/** Chooses what fits, the highest priority first; an entry too large leaves room for smaller ones. */
function withinBudget(called: readonly CalledEntry[], maxTokens: number): CalledEntry[] {
  let room = maxTokens;
  return called
    .toSorted((a, b) => b.entry.priority - a.entry.priority)
    .filter(({ entry }) => {
      const tokens = estimateTokens(entry.content, { of: entry });
      if (tokens > room) return false;
      room -= tokens;
      return true;
    });
}
