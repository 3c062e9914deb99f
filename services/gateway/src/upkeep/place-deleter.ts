import {
  type Audience,
  channelAudience,
  type Door,
  inParts,
  MAX_PLACE_MESSAGES,
  MAX_TURNS_ASKED,
  memoryContract,
  outreachContract,
  personalityContract,
  type PlacesWithin,
  present,
} from '@kith/contracts';
import { deleteInBatches, sql, type Database, type Sql } from '@kith/database';
import { oneByOne, type Messenger } from '@kith/messaging';
import { deleteLines } from '../redaction/delete-lines.js';
import type { LeftReplies } from '../redaction/left-replies.js';
import type { Interruptions } from '../signals/interruptions.js';
import type { PlaceOrders } from './place-orders.js';

/** Rows that change in one transaction, so that none holds many for long. */
const BATCH = 2_000;

/** Messages that memory is told of at once: each may be of another person, whom it takes some ten milliseconds. */
const MESSAGES_AT_ONCE = 1_000;

/** Turn, and the person who spoke in it. */
interface SpokenTurn {
  turnId: string;
  personId: string;
}

/** Conversation of a place that is to go. */
interface DoomedConversation {
  id: string;
  door: Door;
  externalId: string;
}

/**
 * Deletes what was said in places, with all that was made of it: places whose time is over since the app left them, and
 * places that were deleted at their door. Safe to repeat and to be broken off.
 */
export class PlaceDeleter {
  constructor(
    private readonly parts: {
      database: Database;
      messenger: Pick<Messenger, 'ask' | 'scrubDisk'>;
      replies: Pick<LeftReplies, 'drop'>;
      places: Pick<PlaceOrders, 'leave' | 'isLeft' | 'leftBefore' | 'tellLeft' | 'end'>;
      interruptions: Pick<Interruptions, 'interrupt'>;
    },
  ) {}

  /** Deletes places of servers that the app left before this time and has not been back in since. Returns how many. */
  async deleteLeft(before: Date): Promise<number> {
    const deleted = await this.deletePlaces(isLeftSince(before));
    // An earlier try may have deleted some of them and gone no further.
    const orders = await this.parts.places.leftBefore(before);
    const gone = orders.flatMap(({ door, places }) => places.map((place) => channelAudience(door, place)));
    // Nothing of these places is left to be held back, with any companion.
    await this.parts.places.tellLeft([...new Set([...deleted, ...gone])], false);
    for (const order of orders) await this.parts.places.end(order);
    return deleted.length;
  }

  /**
   * Deletes places that were deleted at their door, at once: nothing is said there any more. The order to leave them, which
   * goes last, tells another try that it has not come to its end.
   */
  async deleteOrdered(order: PlacesWithin): Promise<void> {
    const { door, places } = order;
    const isNamed = sql`door = ${door} AND kind = 'channel' AND external_id = ANY (${places}::text[])`;
    if ((await this.find(isNamed)).length === 0 && !(await this.parts.places.isLeft(order))) return;
    // From here on nothing of them is told, whatever the rest takes.
    await this.parts.places.leave(order);
    await this.interruptIn(isNamed);
    await this.deletePlaces(isNamed);
    const audiences = places.map((place) => channelAudience(door, place));
    // Memory may have kept something of them since it was asked.
    await oneByOne(audiences, async (audience) => {
      await this.parts.messenger.ask(memoryContract.forgetPlace, { audience });
    });
    await this.parts.places.tellLeft(audiences, false);
    await this.parts.places.end(order);
    this.parts.messenger.scrubDisk();
  }

  /** Deletes places, each unless the condition on `place` has ceased to hold by then. Returns the audiences it found. */
  private async deletePlaces(which: Sql): Promise<Audience[]> {
    const doomed = await this.find(which);
    await oneByOne(doomed, async ({ id, door, externalId }) => {
      if (!(await this.isStill(id, which))) return;
      const audience = channelAudience(door, externalId);
      await this.endUndos(id);
      const turns = await this.turnsOf(id);
      await this.forgetReasons(audience, turns);
      await this.forgetMemories(id, audience);
      await this.parts.replies.drop(audience);
      await this.forgetTurns(turns);
      await this.deleteConversation(id, which);
    });
    return doomed.map(({ door, externalId }) => channelAudience(door, externalId));
  }

  private find(which: Sql): Promise<DoomedConversation[]> {
    return this.parts.database.reader('system').$queryRaw<DoomedConversation[]>`
      SELECT conversation_id AS id, door, external_id AS "externalId" FROM conversations AS place
      WHERE ${which}`;
  }

  /** Ends turns under way in these places, and empties waiting messages there: they get no answer. */
  private async interruptIn(which: Sql): Promise<void> {
    const open = await this.parts.database.writer('system').$queryRaw<
      { conversationId: string; personId: string }[]
    >`
      UPDATE inbox SET revision = revision + 1, text = '', deleted_at = coalesce(deleted_at, now())
      WHERE outcome IS NULL
        AND conversation_id IN (SELECT conversation_id FROM conversations AS place WHERE ${which})
      RETURNING conversation_id AS "conversationId", person_id AS "personId"`;
    for (const speaker of open) this.parts.interruptions.interrupt(speaker, 'revised');
  }

  /**
   * Ends the undo of what people of a conversation have just had forgotten: some of it may be of this place, and would
   * come back without it.
   */
  private async endUndos(conversationId: string): Promise<void> {
    await this.parts.database.writer('system').$executeRaw`
      UPDATE forget_orders SET undo_until = now() WHERE undo_until > now()
        AND person_id IN (SELECT person_id FROM turns WHERE conversation_id = ${conversationId}::uuid)`;
  }

  /**
   * Makes the scheduler forget a place, and reasons that companions thought of elsewhere: those name messages, which memory
   * can tell only until it forgets them itself.
   */
  private async forgetReasons(audience: Audience, ofPlace: readonly SpokenTurn[]): Promise<void> {
    const { sources } = await this.parts.messenger.ask(memoryContract.forgetPlace, {
      audience,
      preview: true,
    });
    const [messages, turns] = [[...sources], [...ofPlace]];
    for (let part = 0; part === 0 || messages.length > 0 || turns.length > 0; part += 1) {
      const messageIds = messages.splice(0, MAX_PLACE_MESSAGES);
      const some = turns.splice(0, MAX_TURNS_ASKED);
      await this.parts.messenger.ask(outreachContract.forgetPlace, { audience, messageIds, turns: some });
    }
  }

  /**
   * Makes memory forget a place, and its messages by name. A memory of one that comes later, as from a job that waits
   * for its embedding, is then refused.
   */
  private async forgetMemories(conversationId: string, audience: Audience): Promise<void> {
    let after = 0n;
    for (;;) {
      const page = await this.parts.database.reader('system').$queryRaw<
        { id: bigint; personId: string; messageId: string }[]
      >`
        SELECT id, person_id AS "personId", external_id AS "messageId" FROM inbox
        WHERE conversation_id = ${conversationId}::uuid AND id > ${after} ORDER BY id LIMIT ${MESSAGES_AT_ONCE}`;
      const said = [...Map.groupBy(page, ({ personId }) => personId)].map(([personId, messages]) => {
        return { personId, messageIds: messages.map(({ messageId }) => messageId) };
      });
      await this.parts.messenger.ask(memoryContract.forgetPlace, { audience, said });
      if (page.length < MESSAGES_AT_ONCE) return;
      after = present(page.at(-1)).id;
    }
  }

  private turnsOf(conversationId: string): Promise<SpokenTurn[]> {
    return this.parts.database.reader('system').$queryRaw<SpokenTurn[]>`
      SELECT turn_id AS "turnId", person_id AS "personId" FROM turns
      WHERE conversation_id = ${conversationId}::uuid ORDER BY turn_id`;
  }

  /** Makes personality forget the turns of a conversation: it does not know places, so they are named. */
  private async forgetTurns(turns: readonly SpokenTurn[]): Promise<void> {
    for (const some of inParts(turns, MAX_TURNS_ASKED))
      await this.parts.messenger.ask(personalityContract.forgetTurns, { turns: some });
  }

  /** Tells whether a place is still to go: deleting the places before this one may have taken a while. */
  private async isStill(id: string, which: Sql): Promise<boolean> {
    return (await this.find(sql`conversation_id = ${id}::uuid AND ${which}`)).length > 0;
  }

  /** Deletes a conversation with what it holds. Stops where the app comes back to its place meanwhile. */
  private async deleteConversation(id: string, which: Sql): Promise<void> {
    const ifStill = sql`(
      SELECT conversation_id FROM conversations AS place
      WHERE conversation_id = ${id}::uuid AND ${which})`;
    const { database } = this.parts;
    const isOfIt = sql`conversation_id = ${ifStill}`;
    await deleteLines(database, isOfIt, BATCH);
    for (const table of ['outbox', 'epochs', 'turn_steps', 'turns', 'tool_calls', 'inbox'])
      await deleteInBatches(database, 'system', table, isOfIt, BATCH);
    await database.write('system', async (tx) => {
      // A message that is being accepted holds this row's lock. The statement below then sees the message.
      await tx.$queryRaw`SELECT 1 FROM conversations WHERE conversation_id = ${id}::uuid FOR UPDATE`;
      await tx.$executeRaw`
        DELETE FROM conversations WHERE conversation_id = ${ifStill}
          AND NOT EXISTS (SELECT 1 FROM inbox WHERE conversation_id = ${id}::uuid)`;
    });
  }
}

/** Matches a `place` that the app left before this time, and where nobody said anything since. */
function isLeftSince(before: Date): Sql {
  return sql`left_at < ${before} AND NOT EXISTS (
    SELECT 1 FROM inbox
    WHERE conversation_id = place.conversation_id AND origin = 'message' AND received_at > place.left_at)`;
}
