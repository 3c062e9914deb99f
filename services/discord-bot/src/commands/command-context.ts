import type { Messenger } from '@kith/messaging';

/** What a command works with: who asks, whom they ask about, and when. */
export interface CommandContext {
  messenger: Messenger;
  companionId: string;
  personId: string;
  now: Date;
}
