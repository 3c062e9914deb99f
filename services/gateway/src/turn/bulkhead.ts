import type { Speaker } from '../conversations/conversations.js';

/** Turns of one person at a time in one process, so that someone who talks in many places leaves workers to others. */
const MAX_OF_ONE_PERSON = 4;
/** Turns of one conversation at a time, so that a busy channel leaves a quarter of a process's turns to others. */
const MAX_OF_ONE_CONVERSATION = 24;

/** Keeps one person or one busy channel from taking every worker. */
export class Bulkhead {
  private readonly ofPerson = new Map<string, number>();
  private readonly ofConversation = new Map<string, number>();

  /** Returns how to leave; null when the person or the conversation has as many turns under way as it may. */
  enter({ conversationId, personId }: Speaker): (() => void) | null {
    if ((this.ofPerson.get(personId) ?? 0) >= MAX_OF_ONE_PERSON) return null;
    if ((this.ofConversation.get(conversationId) ?? 0) >= MAX_OF_ONE_CONVERSATION) return null;
    add(this.ofPerson, personId, 1);
    add(this.ofConversation, conversationId, 1);
    return () => {
      add(this.ofPerson, personId, -1);
      add(this.ofConversation, conversationId, -1);
    };
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
