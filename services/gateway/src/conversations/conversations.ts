import { AppError, channelAudience, type Door } from '@kith/contracts';
import { uuid7, type Database } from '@kith/database';

/** A place where a companion and people talk, as a message names it. */
export interface ConversationPlace {
  companionId: string;
  door: Door;
  externalId: string;
  kind: 'direct' | 'channel';
  /** The person of a direct conversation; null for a channel. */
  personId: string | null;
}

/** Person in one conversation. A speaker's messages are answered in order; speakers are answered side by side. */
export interface Speaker {
  conversationId: string;
  personId: string;
}

/** Names a speaker as a key of a map. */
export function speakerKey({ conversationId, personId }: Speaker): string {
  return `${conversationId} ${personId}`;
}

/** Conversations in the cache: more than talk within a day, at some hundred bytes each. */
const CACHE_SIZE = 10_000;

/** Refuses a message for a conversation that was deleted. */
export function goneError(conversationId: string): AppError {
  return new AppError('not_found', `the conversation ${conversationId} was deleted`, { gone: true });
}

/**
 * Finds conversations by their place. They never change owner or audience, so each is cached until it turns out
 * to be deleted, by this process or another.
 */
export class Conversations {
  private readonly ids = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** Finds the conversation at this place, or makes it. Returns its id. */
  async idOf(place: ConversationPlace): Promise<string> {
    return (await this.find(place)) ?? this.keep(place, await this.make(place));
  }

  /** Finds the conversation at this place. Returns its id; null where there is none. */
  async find(place: ConversationPlace): Promise<string | null> {
    const id = this.ids.get(keyOf(place)) ?? (await this.lookUp(place));
    return id === null ? null : this.keep(place, id);
  }

  /**
   * Writes to the conversation at this place. If it was deleted since it was looked up, makes a new one and writes
   * there.
   */
  async at<T>(place: ConversationPlace, write: (conversationId: string) => Promise<T>): Promise<T> {
    try {
      return await write(await this.idOf(place));
    } catch (error) {
      if (!(error instanceof AppError && error.details?.['gone'] === true)) throw error;
      this.ids.delete(keyOf(place));
      return write(await this.idOf(place));
    }
  }

  private keep(place: ConversationPlace, id: string): string {
    const key = keyOf(place);
    if (this.ids.size >= CACHE_SIZE && !this.ids.has(key)) this.ids.clear();
    this.ids.set(key, id);
    return id;
  }

  private async lookUp({ door, externalId, companionId }: ConversationPlace): Promise<string | null> {
    const [found] = await this.database.reader('system').$queryRaw<{ id: string }[]>`
      SELECT conversation_id AS id FROM conversations
      WHERE door = ${door} AND external_id = ${externalId} AND companion_id = ${companionId}`;
    return found?.id ?? null;
  }

  private async make(place: ConversationPlace): Promise<string> {
    const audience = place.kind === 'direct' ? 'direct' : channelAudience(place.door, place.externalId);
    const { companionId, door, externalId, kind, personId } = place;
    const [made] = await this.database.writer('system').$queryRaw<{ id: string }[]>`
      INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
      VALUES (${uuid7()}::uuid, ${companionId}, ${door}, ${externalId}, ${kind}, ${audience}, ${personId}::uuid)
      ON CONFLICT (door, external_id, companion_id) DO NOTHING RETURNING conversation_id AS id`;
    // Two first messages came at once, and the other one made it.
    const id = made?.id ?? (await this.lookUp(place));
    if (id === null) throw new Error(`the conversation at ${door} ${externalId} was removed as it was made`);
    return id;
  }
}

/** Includes the person: whoever comes back after an erasure gets another conversation. */
function keyOf({ door, externalId, companionId, personId }: ConversationPlace): string {
  return `${door} ${externalId} ${companionId} ${personId ?? ''}`;
}
