import type { Audience } from '@kith/contracts';
import { textForRules } from '@kith/reading';

/** A turn of a person with the companion. Never of private talk. */
export interface SpokenTurn {
  turnId: string;
  conversationId: string;
  audience: Audience;
  /** Its end, in milliseconds since the epoch. */
  at: number;
  messages: readonly { role: 'person' | 'companion'; text: string; externalId: string | null }[];
}

/** Returns the texts of one side, ready for rules. */
export function saidBy({ messages }: SpokenTurn, who: 'person' | 'companion'): string[] {
  return messages.filter(({ role }) => role === who).map(({ text }) => textForRules(text));
}

/** Returns the ids that the door gave the turn's messages. */
export function messagesOf({ messages }: SpokenTurn): string[] {
  return messages.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
}
