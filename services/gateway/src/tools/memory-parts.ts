import type { memoryContract, RecalledMemory, ResponseOutput } from '@kith/contracts';
import { repeats, tellingWords } from '../quotes/quote-finder.js';

/** Parts of a prompt that memory told: somebody may have any of them forgotten. */
export interface MemoryParts extends Pick<
  ResponseOutput<typeof memoryContract.recall>,
  'passages' | 'core' | 'tasks' | 'wishes' | 'contradictions'
> {
  recalled: RecalledMemory[];
}

/** A piece of a prompt and the messages that it goes back to. */
export interface MemoryPiece {
  id: string;
  text: string;
  sources: readonly string[];
}

/**
 * Lists what memory told a prompt beside the memories that were recalled, for a reply or a note may repeat any of it: other
 * lines of their passages and contradictions, and what stands in many prompts: wishes, tasks and core memory. Pure.
 */
export function piecesBesideRecalled(told: MemoryParts): {
  inPassages: MemoryPiece[];
  inEveryPrompt: MemoryPiece[];
} {
  const recalled = new Set<string>(told.recalled.map(({ id }) => id));
  const core = told.core.flatMap(({ label, origins }) =>
    origins.map((origin) => ({ id: `core:${label}`, ...origin })),
  );
  const passageLines = [
    ...told.passages.flatMap(({ lines }) => lines),
    ...told.contradictions.flatMap(({ sides }) => sides),
  ];
  return {
    inPassages: passageLines.filter(({ id }) => !recalled.has(id)),
    inEveryPrompt: [...told.wishes, ...told.tasks, ...core],
  };
}

/** Chooses, of pieces, those of which a reply has a telling word. */
export function repeatedIn(reply: string, pieces: readonly MemoryPiece[]): MemoryPiece[] {
  const words = tellingWords(reply);
  return pieces.filter(({ text }) => repeats(text, words));
}
