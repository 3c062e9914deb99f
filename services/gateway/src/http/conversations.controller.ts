import {
  AppError,
  conversationRoutes,
  ConversationView,
  EARLIEST,
  readTimeCursor,
  timesAsText,
  type TurnEnding,
  TurnOutcome,
  Withheld,
  writeTimeCursor,
} from '@kith/contracts';
import { pageOf, sql, type ConversationModel, type Tx } from '@kith/database';
import { listEpochs, restoreEpoch } from '../epochs/list-epochs.js';
import { mayTell } from '../conversations/may-tell.js';
import { viewerOf } from '../conversations/trace-turn.js';
import { serveRoutes } from './serve-routes.js';

/** Time at which a conversation without a line stands in the list: last, so that its first line moves it forward. */
const NOTHING_SAID = new Date(EARLIEST);

/** Conversation as its person is shown it. */
type ShownRow = Pick<
  ConversationModel,
  'id' | 'companionId' | 'door' | 'externalId' | 'kind' | 'lastMessageAt'
>;

/** A person's own direct conversations. Channels are read where they are: what others say there is theirs. */
export const ConversationsController = serveRoutes(conversationRoutes, ({ database, clocks }) => ({
  list: async ({ caller: { personId }, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : readTimeCursor(cursor);
    const at = sql`coalesce(last_message_at, ${NOTHING_SAID})`;
    const isNext = after ? sql`(${at}, conversation_id) < (${after.at}, ${after.id}::uuid)` : sql`TRUE`;
    const rows = await database.reader({ personId }).$queryRaw<ShownRow[]>`
        SELECT conversation_id AS id, companion_id AS "companionId", door, external_id AS "externalId", kind,
          last_message_at AS "lastMessageAt"
        FROM conversations WHERE person_id = ${personId}::uuid AND ${isNext}
        ORDER BY ${at} DESC, conversation_id DESC LIMIT ${limit + 1}`;
    const { page, nextCursor } = pageOf(rows, limit, ({ lastMessageAt, id }) =>
      writeTimeCursor({ at: lastMessageAt ?? NOTHING_SAID, id }),
    );
    return { conversations: page.map((row) => viewConversation(row, personId)), nextCursor };
  },
  epochs: async ({ caller, params }) => {
    const timeZone = await clocks.zoneOf(caller.personId);
    return { epochs: await listEpochs(database, viewerOf(caller), params.id, timeZone) };
  },
  restoreEpoch: async ({ params: { id, number } }) => ({ number: await restoreEpoch(database, id, number) }),
  messages: ({ caller: { personId }, params: { id: conversationId }, query: { limit, before } }) =>
    database.asPerson(personId, async (tx) => {
      const conversation = await tx.conversation.findFirst({ where: { id: conversationId, personId } });
      if (!conversation) throw new AppError('not_found', `no conversation ${conversationId} of yours`);
      const rows = await tx.transcriptMessage.findMany({
        where: { conversationId, ...(before ? { id: { lt: BigInt(before) } } : {}) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => String(id));
      const endings = await endingsOf(tx, page);
      return {
        conversation: viewConversation(conversation, personId),
        messages: page
          .toReversed()
          .map((row) => ({
            id: String(row.id),
            turnId: row.turnId,
            messageId: row.externalId,
            role: row.role === 'companion' ? ('companion' as const) : ('person' as const),
            name: row.name,
            text: mayTell(row, personId) ? row.text : '',
            withheld: mayTell(row, personId) ? null : Withheld.parse(row.withheld),
            at: row.at.toISOString(),
            ending: endings.get(row.turnId) ?? null,
          })),
        nextCursor,
      };
    }),
}));

/** Shows a conversation. A name that its person gave is shown without their id before it. */
function viewConversation(row: ShownRow, personId: string) {
  const { externalId } = row;
  const name = externalId.startsWith(`${personId}.`) ? externalId.slice(personId.length + 1) : externalId;
  return ConversationView.parse({ ...timesAsText(row), name });
}

async function endingsOf(tx: Tx, lines: readonly { turnId: string }[]): Promise<Map<string, TurnEnding>> {
  const turns = await tx.turn.findMany({
    where: { id: { in: [...new Set(lines.map(({ turnId }) => turnId))] } },
    select: { id: true, outcome: true, reason: true, rehearsal: true, degraded: true },
  });
  return new Map(
    turns.map(({ id, outcome, ...ending }) => [id, { ...ending, outcome: TurnOutcome.parse(outcome) }]),
  );
}
