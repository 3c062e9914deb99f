import type { PostedMessage } from '../rest/discord-api.js';

export interface SentChunk {
  content: string;
  nonce: string;
  /** The message it answers, where it is the first chunk of a reply to one. */
  replyTo: string | undefined;
}

/**
 * Finds the message of a chunk that may have arrived unnoticed, among what was posted since it was first tried: by its
 * nonce where Discord still shows that, else by its words and by what it answers. Undefined: it never arrived.
 * @param posted the channel's messages since then, oldest first
 * @param taken ids that belong to other chunks or replies
 */
export function findSent(
  chunk: SentChunk,
  posted: readonly PostedMessage[],
  taken: ReadonlySet<string>,
): PostedMessage | undefined {
  const free = posted.filter(({ id }) => !taken.has(id));
  return (
    free.find(({ nonce }) => nonce !== undefined && String(nonce) === chunk.nonce) ??
    free.find(
      (message) =>
        message.content === chunk.content &&
        (chunk.replyTo === undefined || message.message_reference?.message_id === chunk.replyTo),
    )
  );
}
