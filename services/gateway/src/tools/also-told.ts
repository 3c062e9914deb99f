import type { Contradiction, Passage, RecalledMemory, TaskView, ToldCore, Wish } from '@kith/contracts';

/** Parts of a prompt that memory told: somebody may have any of them forgotten. */
export interface ToldByMemory {
  recalled: readonly RecalledMemory[];
  passages: readonly Passage[];
  core: readonly ToldCore[];
  tasks: readonly TaskView[];
  wishes: readonly Wish[];
  contradictions: readonly Contradiction[];
}

/** A piece of a prompt and the messages that it goes back to. */
export interface ToldPiece {
  id: string;
  text: string;
  sources: readonly string[];
}

/**
 * Lists what memory told a prompt beside the memories that were recalled: other lines of their passages, wishes, tasks,
 * core memory and contradictions. A reply or a note may repeat any of it. Pure.
 */
export function alsoTold(told: ToldByMemory): ToldPiece[] {
  const known = new Set<string>(told.recalled.map(({ id }) => id));
  const pieces = [
    ...told.passages.flatMap(({ lines }) => lines),
    ...told.wishes,
    ...told.tasks,
    ...told.core.flatMap(({ label, origins }) =>
      origins.map((origin) => ({ id: `core:${label}`, ...origin })),
    ),
    ...told.contradictions.flatMap(({ sides }) => sides),
  ];
  return pieces
    .filter(({ id }) => !known.has(id))
    .map(({ id, text, sources }): ToldPiece => ({ id, text, sources }));
}
