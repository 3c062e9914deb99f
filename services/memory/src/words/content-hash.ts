import { createHash } from 'node:crypto';
import { foldText } from './analyse-text.js';

/** Hashes a folded text with SHA-256: case, accents, width and spacing make no new memory. */
export function contentHashOf(text: string): string {
  return sha256(foldText(text).replaceAll(/\s+/g, ' ').trim());
}

/** Hashes what a reflection is of, a day or a topic, apart from all texts: somebody may say "topic garden". */
export function subjectHashOf(subject: string): string {
  return sha256(`reflection ${contentHashOf(subject)}`);
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
  return sha256(JSON.stringify([personId, companionId, audience, conversation, saidAt, text]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
