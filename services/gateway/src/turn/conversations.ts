import { channelAudience, type Door } from '@kith/contracts';
import { isDuplicate, type Database } from '@kith/database';

/** A place where a companion and people talk, as a message names it. */
export interface Place {
  companionId: string;
  door: Door;
  externalId: string;
  kind: 'direct' | 'channel';
  /** The person of a direct conversation; null for a channel. */
  personId: string | null;
}

const CACHE_SIZE = 10_000;

/** Conversations by their place. They never change owner or audience, so what was found once is kept. */
export class Conversations {
  readonly #ids = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** The id of the conversation at this place, made at first sight. */
  async idOf(place: Place): Promise<string> {
    // With whose it is: of who comes back after an erasure it is another one.
    const key = `${place.door} ${place.externalId} ${place.companionId} ${place.personId ?? ''}`;
    const known = this.#ids.get(key);
    if (known) return known;
    const id = (await this.#find(place)) ?? (await this.#make(place));
    if (this.#ids.size >= CACHE_SIZE) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }

  async #find({ door, externalId, companionId }: Place): Promise<string | null> {
    const found = await this.database.asSystem((tx) =>
      tx.conversation.findUnique({
        where: { door_externalId_companionId: { door, externalId, companionId } },
        select: { id: true },
      }),
    );
    return found?.id ?? null;
  }

  async #make(place: Place): Promise<string> {
    const audience = place.kind === 'direct' ? 'direct' : channelAudience(place.door, place.externalId);
    try {
      const made = await this.database.asSystem((tx) =>
        tx.conversation.create({ data: { ...place, audience } }),
      );
      return made.id;
    } catch (error) {
      const found = isDuplicate(error) && (await this.#find(place));
      if (found) return found;
      throw error;
    }
  }
}
