import { randomUUID } from 'node:crypto';
import { firstOf, inParts, memoryContract, Uuid } from '@kith/contracts';
import { sql, type Database, type ForgetOrderModel, type Sql } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';

/** Messages that one order names: as many as memory takes. */
const MAX_MESSAGES = 500;
/**
 * People and messages of one question: memory reads all that is noted of these people, and has five seconds for it. A
 * channel may have thousands of people, and a person hundreds of thousands of lines there.
 */
const ASKED_ABOUT = { people: 100, messages: 5_000 };

/** Person whose words are removed, and how long that can be undone. */
type Remover = Pick<ForgetOrderModel, 'personId' | 'companionId' | 'undoUntil'>;
/** Order to forget notes, given by another person's order. */
type NotesOrder = Pick<ForgetOrderModel, 'id' | 'personId'>;

/** Result of an order that removes no lines. */
export const NOT_TOUCHED = { turnIds: [], messageIds: [], replyTurnIds: [], lines: 0, isCutShort: false };

/** Tells whether another order gave this one: it names another person's messages, or outreach, and none of the one it is for. */
export function isOfOther({ what }: Pick<ForgetOrderModel, 'what'>): boolean {
  return z.object({ ofOther: z.literal(true) }).safeParse(what).success;
}

/**
 * Tells whether an order only covers notes that a turn under way may still make. Such an order removes no lines of its
 * person.
 */
export function isForLate({ what }: Pick<ForgetOrderModel, 'what'>): boolean {
  return z.object({ late: z.literal(true) }).safeParse(what).success;
}

/** Part of an order that names the orders it gave about others' notes; absent until it has given them. */
const Named = z.object({ noteOrders: z.array(Uuid).optional() });

/**
 * Companions' notes about other people in a channel that repeat a person's words there. Each note names the messages that
 * it repeats, and is a row of the person it is about. So every such person gets an order to forget of their own, which
 * names these messages. What a companion noted as it wrote first names that outreach, and goes by such an order as well.
 */
export class OthersNotes {
  constructor(
    private readonly database: Database,
    private readonly messenger: Pick<Messenger, 'ask'>,
  ) {}

  /**
   * Gives those orders, once per order. Call it after the messages are removed, so that no prompt still holds them.
   * @param attemptIds outreach to the order's own person that goes with it
   */
  async orderOnce(
    { id, ...by }: Remover & { id: string },
    { turnIds, messageIds }: { turnIds: readonly string[]; messageIds: readonly string[] },
    attemptIds: readonly string[],
  ): Promise<void> {
    if (messageIds.length + attemptIds.length === 0 || (await this.namedBy(id)) !== null) return;
    const which = sql`said.turn_id = ANY (${[...turnIds]}::uuid[]) AND said.external_id = ANY (${[...messageIds]}::text[])`;
    await this.order(by, which, { id, attemptIds });
  }

  /** Gives those orders for everything that a person said in channels. Returns them. */
  orderAll(personId: string): Promise<NotesOrder[]> {
    return this.order({ personId, companionId: null, undoUntil: null }, sql`true`);
  }

  /** Finds the orders that an order has given. */
  async givenBy(orderId: string): Promise<NotesOrder[]> {
    const ids = await this.namedBy(orderId);
    if (ids === null || ids.length === 0) return [];
    return this.database.asSystem((tx) =>
      tx.forgetOrder.findMany({ where: { id: { in: ids } }, select: { id: true, personId: true } }),
    );
  }

  private async namedBy(orderId: string): Promise<string[] | null> {
    const order = await this.database.asSystem((tx) =>
      tx.forgetOrder.findUnique({ where: { id: orderId }, select: { what: true } }),
    );
    return Named.parse(order?.what ?? {}).noteOrders ?? null;
  }

  private async order(
    { personId, companionId, undoUntil }: Remover,
    which: Sql,
    given?: { id: string; attemptIds: readonly string[] },
  ): Promise<NotesOrder[]> {
    const { messageIds, people } = await this.heard(personId, which);
    const found = await this.findNoted(
      people.map((one) => one.personId),
      messageIds,
    );
    // A turn under way may still make a note of the newest messages.
    const last = messageIds.slice(-MAX_MESSAGES);
    const late = people.filter(({ isUnderWay }) => isUnderWay).map((one) => [one.personId, last] as const);
    const ordersOf =
      (isLate: boolean) =>
      ([heardBy, sources]: readonly [string, readonly string[]]) =>
        inParts(sources, MAX_MESSAGES).map((part) => ({
          id: randomUUID(),
          personId: heardBy,
          companionId,
          undoUntil,
          reason: 'forgotten',
          what: { kind: 'sources', sources: part, ofOther: true, ...(isLate && { late: true }) },
        }));
    const orders = [
      ...[...found, [personId, given?.attemptIds ?? []] as const].flatMap(ordersOf(false)),
      ...late.flatMap(ordersOf(true)),
    ];
    await this.database.asSystem(async (tx) => {
      await tx.forgetOrder.createMany({ data: orders });
      if (given !== undefined)
        await tx.$executeRaw`
          UPDATE forget_orders
          SET what = what || jsonb_build_object('noteOrders', ${orders.map(({ id }) => id)}::text[])
          WHERE id = ${given.id}::uuid`;
    });
    return orders;
  }

  /** Finds the people with a note that repeats any of these messages, and those messages. */
  private async findNoted(people: readonly string[], messages: readonly string[]) {
    const found = new Map<string, string[]>();
    for (const personIds of inParts(people, ASKED_ABOUT.people))
      for (const messageIds of inParts(messages, ASKED_ABOUT.messages)) {
        const { noted } = await this.messenger.ask(memoryContract.findNoted, { personIds, messageIds });
        for (const one of noted)
          found.set(one.personId, [...(found.get(one.personId) ?? []), ...one.messageIds]);
      }
    return found;
  }

  /**
   * Finds the chosen messages that a person said in channels, newest last, and the people whose turns there may have had
   * them in view: turns that ended since then, and turns under way. Notes outlast the lines that retention takes.
   */
  private async heard(personId: string, which: Sql) {
    return this.database.asSystem(async (tx) => {
      const messages = await tx.$queryRaw<{ messageId: string; conversationId: string; since: Date }[]>`
        SELECT said.external_id AS "messageId", said.conversation_id::text AS "conversationId",
          turns.started_at AS since
        FROM inbox AS said JOIN turns USING (turn_id)
        JOIN conversations AS place ON place.conversation_id = said.conversation_id
        WHERE place.person_id IS NULL AND said.origin = 'message' AND said.person_id = ${personId}::uuid AND ${which}
        ORDER BY said.id`;
      if (messages.length === 0) return { messageIds: [], people: [] };
      const places = [...new Set(messages.map(({ conversationId }) => conversationId))];
      const since = messages.reduce(
        (first, said) => (said.since < first ? said.since : first),
        firstOf(messages).since,
      );
      const people = await tx.$queryRaw<{ personId: string; isUnderWay: boolean }[]>`
        SELECT person_id::text AS "personId", bool_or(is_under_way) AS "isUnderWay" FROM (
          SELECT person_id, false AS is_under_way FROM turns
          WHERE conversation_id = ANY (${places}::uuid[]) AND ended_at >= ${since}
          UNION SELECT person_id, true FROM inbox
          WHERE conversation_id = ANY (${places}::uuid[]) AND outcome IS NULL
        ) AS heard JOIN people USING (person_id)
        WHERE person_id <> ${personId}::uuid GROUP BY person_id`;
      return { messageIds: messages.map(({ messageId }) => messageId), people };
    });
  }
}
