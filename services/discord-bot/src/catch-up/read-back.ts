import { isSnowflake } from '../rest/snowflake-at.js';
import type { CatchUp } from './plan-catch-up.js';

/** Most messages that Discord gives at once. */
const PAGE = 100;

/**
 * Reads a place page by page from its newest message back to the last one heard. Where a bound ends it sooner, the
 * oldest messages are skipped: the newest may still need an answer. Returns them oldest first, and why some were skipped.
 * One without an id has no place among the others and is left out; `nameless` counts them.
 * @param getPage gets the messages before this id, or the newest ones; at most `limit`, in any order
 * @param staysDue tells whether a message that is too old is to be heard all the same; null: none is
 */
export async function readBack<Message extends { id: string }>(
  getPage: (page: { before: string | undefined; limit: number }) => Promise<readonly Message[]>,
  { after, earliest, maxMessages }: Pick<CatchUp, 'after' | 'earliest'> & { maxMessages: number },
  staysDue: ((message: Message) => boolean) | null = null,
) {
  const messages: Message[] = [];
  let nameless = 0;
  let seen = 0;
  let isPast = false;
  let before: string | undefined;
  const end = (skipped: 'too many' | null) => ({
    messages: messages.toReversed(),
    skipped: isPast ? ('too old' as const) : skipped,
    nameless,
  });
  for (;;) {
    const page = await getPage({ before, limit: PAGE });
    const named = page.filter((message: Partial<Message> | null) => isSnowflake(message?.id));
    nameless += page.length - named.length;
    for (const message of named.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))) {
      if (BigInt(message.id) <= BigInt(after)) return end(null);
      isPast = BigInt(message.id) < BigInt(earliest);
      if (isPast && staysDue === null) return end(null);
      if (seen >= maxMessages) return end('too many');
      seen += 1;
      before = message.id;
      if (!isPast || staysDue?.(message)) messages.push(message);
    }
    // Without an id there is no page before this one.
    if (page.length < PAGE || named.length === 0) return end(null);
  }
}
