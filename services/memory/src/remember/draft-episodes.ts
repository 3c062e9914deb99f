import type { ReadTurn } from '@kith/contracts';
import { contentHashOf } from '../words/content-hash.js';
import { scoreImportance } from '../words/score-importance.js';
import { splitText } from '../words/split-text.js';

/** An episode before it is known whether its row exists. */
export interface MemoryDraft {
  text: string;
  contentHash: string;
  importance: number;
  saidAt: Date;
  sources: string[];
  /** Number of edits of the message before these words. */
  revision: number;
}

/**
 * Drafts an episode of each message of a person in a finished turn. Leaves out the companion's words, which are no
 * evidence about the person, turns that it did not answer or that were dropped, and texts without a letter or digit.
 */
export function draftEpisodes(turn: ReadTurn): MemoryDraft[] {
  if (turn.outcome === 'silent' || turn.outcome === 'dropped') return [];
  const drafts = new Map<string, MemoryDraft>();
  turn.messages.forEach((message, index) => {
    if (message.role !== 'person' || message.personId !== turn.personId) return;
    const source = message.externalId ?? `${turn.turnId}:${index}`;
    for (const text of splitText(message.text)) {
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const contentHash = contentHashOf(text);
      const twin = drafts.get(contentHash);
      if (twin) {
        twin.sources = [...new Set([...twin.sources, source])];
        twin.revision = Math.min(twin.revision, message.revision ?? 0);
        continue;
      }
      const saidAt = new Date(message.at);
      drafts.set(contentHash, {
        text,
        contentHash,
        importance: scoreImportance(text),
        saidAt,
        sources: [source],
        revision: message.revision ?? 0,
      });
    }
  });
  return [...drafts.values()];
}
