import type { LoreInput } from '@kith/contracts';
import type { Persona } from './persona.js';

/** A companion as it travels: who it is, and what it knows of its world. */
export interface Character {
  readonly persona: Persona;
  readonly lore: readonly LoreInput[];
}

/** One field of a file, and what became of it. */
export interface ReportLine {
  readonly field: string;
  readonly note: string;
}

/** Result of reading a file. */
export interface CharacterReport {
  /** The format that was found, such as `tavern-v2`. */
  format: string;
  /** In force in Kith. */
  readonly understood: ReportLine[];
  /** In no prompt, and written out again at an export. */
  readonly kept: ReportLine[];
  readonly dropped: ReportLine[];
  /** Named by no file of this format, so chosen here. */
  readonly assumed: ReportLine[];
}

export function emptyReport(format: string): CharacterReport {
  return { format, understood: [], kept: [], dropped: [], assumed: [] };
}
