import { createHash } from 'node:crypto';
import { foldText } from './analyse-text.js';

/** Hashes a folded text with SHA-256: case, accents, width and spacing make no new memory. */
export function contentHashOf(text: string): string {
  return createHash('sha256').update(foldText(text).replaceAll(/\s+/g, ' ').trim()).digest('hex');
}
