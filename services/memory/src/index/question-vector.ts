import { firstOf } from '@kith/contracts';
import { toUnitLength } from '@kith/lexical-embedding';
import { asStatement } from '../words/as-statement.js';
import { TUNED } from '../words/tuned.js';

/** Texts whose vectors together stand for a question in a semantic space. */
export function questionTexts(asked: string): string[] {
  const stated = asStatement(asked);
  return stated === null ? [asked] : [asked, stated];
}

/** Mixes the vectors of a question's texts, at unit length. */
export function questionVector(vectors: readonly Float32Array[]): Float32Array {
  const [asked, stated] = vectors;
  if (!asked || !stated) return firstOf(vectors);
  const share = TUNED.statementShare;
  return toUnitLength(asked.map((value, at) => (1 - share) * value + share * (stated[at] ?? 0)));
}
