import { createHash } from 'node:crypto';
import type { ReadTurn } from '@kith/contracts';
import { foldText } from '../recall/analyse-text.js';
import { scoreImportance } from './score-importance.js';
import { splitText } from './split-text.js';

/** A row to be, before it is known whether it is there already. */
export interface MemoryDraft {
  text: string;
  contentHash: string;
  importance: number;
  saidAt: Date;
  sources: string[];
  /** Times the words were changed at their door before they read so. */
  revision: number;
}

/** SHA-256 of the folded text: case, accents, width and spacing make no new memory. */
export function contentHashOf(text: string): string {
  return createHash('sha256').update(foldText(text).replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

/**
 * What of a finished turn is kept: each message of the person whose burst it was, as an episode. Nothing of
 * the companion's, whose words are no evidence about the person; nothing of a turn it stayed silent on or
 * dropped; nothing without a letter or digit in it.
 */
export function planRemembering(turn: ReadTurn): MemoryDraft[] {
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
