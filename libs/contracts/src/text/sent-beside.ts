import { MAX_QUOTE_CHARACTERS } from './message-text.js';
import type { SentKind } from './sent-kinds.js';
import { shorten } from './storable.js';

/**
 * Lines that stand for what a person sends beside words: a picture that nobody here can see is still
 * something that was sent. Doors write these notes, prompts explain them, and the rehearsal answers them.
 */

/** Stands for a message of nothing but the companion's name. */
export const CALLED = '[called you, without a word]';
/** Stands for words that the door withholds, as Discord does when a reply does not mention the bot. */
export const WORDLESS_REPLY =
  '[replied to you without mentioning you, so their words did not arrive: a reply with the mention on would]';

/** Long enough for a poll's question and answers, too short to crowd out a prompt. */
const MAX_DETAIL = 300;

/** `[sent a sticker: wave]`; what it is called, or says, is somebody's words and stays on one line. */
export function noteOfSent(kind: SentKind, detail = ''): string {
  // What was said elsewhere is told as far as a quote would be.
  const most = kind === 'a forwarded message' ? MAX_QUOTE_CHARACTERS : MAX_DETAIL;
  const plain = shorten(detail.replaceAll(/[[\]\s]+/g, ' ').trim(), most);
  return plain === '' ? `[sent ${kind}]` : `[sent ${kind}: ${plain}]`;
}
