import type { OutgoingMessage, PostedMessage } from '../rest/discord-api.js';

/**
 * Finds the message of a chunk that may have arrived unnoticed, among the posts since its first try, by its words
 * and the message it answers: Discord shows no nonce there. If that was deleted, it refers to nothing. Undefined: it
 * never arrived.
 * @param posted the channel's messages since then, oldest first
 * @param taken ids that belong to other chunks or replies
 */
export function findSent(
  chunk: Pick<OutgoingMessage, 'content' | 'replyTo'>,
  posted: readonly PostedMessage[],
  taken: ReadonlySet<string>,
) {
  const same = posted.filter(({ id, content }) => !taken.has(id) && content === chunk.content);
  if (chunk.replyTo === undefined) return same[0];
  return (
    same.find(({ message_reference: to }) => to?.message_id === chunk.replyTo) ??
    same.find(({ message_reference: to }) => to === undefined)
  );
}
