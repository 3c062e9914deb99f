import type { CatchUp } from './plan-catch-up.js';

/** Most messages that Discord gives at once. */
const PAGE = 100;

/**
 * Reads a place page by page from its newest message back to the last one heard. Where a bound ends it sooner, the
 * oldest messages are skipped: the newest may still need an answer. Returns them oldest first, and why some were skipped.
 * @param getPage gets the messages before this id, or the newest ones; at most `limit`, in any order
 */
export async function readBack<Message extends { id: string }>(
  getPage: (page: { before: string | undefined; limit: number }) => Promise<readonly Message[]>,
  { after, earliest, maxMessages }: Pick<CatchUp, 'after' | 'earliest'> & { maxMessages: number },
) {
  const messages: Message[] = [];
  const end = (skipped: 'too old' | 'too many' | null) => ({ messages: messages.toReversed(), skipped });
  for (let before: string | undefined; ; before = messages.at(-1)?.id) {
    const page = await getPage({ before, limit: PAGE });
    for (const message of page.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))) {
      if (BigInt(message.id) <= BigInt(after)) return end(null);
      if (BigInt(message.id) < BigInt(earliest)) return end('too old');
      if (messages.length >= maxMessages) return end('too many');
      messages.push(message);
    }
    if (page.length < PAGE) return end(null);
  }
}
