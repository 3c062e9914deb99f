import { hash } from 'node:crypto';
import { foldText } from './analyse-text.js';

/** Hexadecimal digits of a hash that names a line: as many bits as a uuid has. */
const SOURCE_DIGITS = 32;

/** Hashes a folded text with SHA-256: case, accents, width and spacing make no new memory. */
export function contentHashOf(text: string): string {
  return hash('sha256', foldText(text).replaceAll(/\s+/g, ' ').trim());
}

/** Hashes what a reflection is of, a day or a topic, apart from all texts: somebody may say "topic garden". */
export function subjectHashOf(subject: string): string {
  return hash('sha256', `reflection ${contentHashOf(subject)}`);
}

/**
 * Makes the source of an imported line that came with none, the same each time the line comes: by it the line is forgotten
 * with what was derived from it. Migrations make the same in SQL.
 */
export function importSourceOf(line: { audience: string; saidAt: string; contentHash: string }): string {
  const saidAt = new Date(line.saidAt).toISOString();
  return `import:${hash('sha256', `${line.audience} ${saidAt} ${line.contentHash}`).slice(0, SOURCE_DIGITS)}`;
}

/** Hashes all that a row's point is made of. "I do not like tea" has the terms of "I like tea", and another vector. */
export function digestOf(row: {
  personId: string;
  companionId: string;
  audience: string;
  conversation: string | null;
  saidAt: Date;
  text: string;
}): string {
  const { personId, companionId, audience, conversation, saidAt, text } = row;
  return hash('sha256', JSON.stringify([personId, companionId, audience, conversation, saidAt, text]));
}

/** Makes a uuid of parts, the same each time: of version 8, whose digits mean nothing. */
export function uuidFor(parts: readonly string[]): string {
  const digits = hash('sha256', JSON.stringify(parts));
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
