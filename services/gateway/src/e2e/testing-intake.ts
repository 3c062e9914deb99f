import type { Database } from '@kith/database';
import { Conversations } from '../conversations/conversations.js';
import { TalkReader } from '../conversations/talk-reader.js';
import { broadcasts, marks } from './talk.js';
import { Inbox } from '../intake/inbox.js';
import { Identities } from '../people/identities.js';
import type { CompanionStanding } from '../answer/decide-gate.js';
import { MessageIntake } from '../intake/message-intake.js';

/**
 * Makes an intake whose turns nobody takes. Every reason to write first that it asks for is this one.
 * @param standing tells how its companions stand
 * @param orders takes the payloads of jobs that it orders
 * @param asked takes what it asks of other services
 */
export function testingIntake(
  database: Database,
  reason: string | null = null,
  standing = (): CompanionStanding => 'serves',
  orders: unknown[] = [],
  asked: unknown[] = [],
): MessageIntake {
  const wake = { reserve: () => null, dispatch: async () => undefined };
  const inbox = new Inbox(
    { database, talks: new TalkReader() },
    wake,
    { begin: () => undefined, drop: () => undefined },
    { interrupt: () => undefined } as never,
    undefined as never,
  );
  return new MessageIntake({
    database,
    inbox,
    marks,
    identities: new Identities(database, broadcasts, marks),
    messenger: {
      ask: async (_, request) => {
        asked.push(request);
        return { reason } as never;
      },
      enqueue: async (_, payload) => void orders.push(payload),
    },
    conversations: new Conversations(database),
    debounceMs: 0,
    companions: { standingOf: async () => standing(), defaultCompanion: 'mira' },
  });
}
