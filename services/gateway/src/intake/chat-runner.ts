import { randomUUID } from 'node:crypto';
import {
  AppError,
  erasedError,
  isUnavailable,
  noteOfSent,
  type ChatEvent,
  type ChatRequest,
  type Door,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { z } from 'zod';
import { requireTime, type ApiKeys } from '../people/api-keys.js';
import { isEnded, requireScope, type Caller } from '../people/caller.js';
import type { Conversations, ConversationPlace } from '../conversations/conversations.js';
import type { Inbox } from './inbox.js';
import { viewTurn } from '../conversations/view-turn.js';
import type { TurnEvents } from '../signals/turn-events.js';
import type { CompanionDirectory } from './companion-directory.js';
import { EventQueue } from './event-queue.js';
import { problemOf } from '../entrance/problem-details.js';

export type ChatInput = Omit<z.output<typeof ChatRequest>, 'stream'>;

/** Time between two checks of Postgres: the live events may be lost. */
const CHECK_EVERY_MS = 1_000;
/** Time by which a caller's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Told of a message that ended without a turn: nothing of it could be stored. */
const UNANSWERABLE = 'this message could not be answered; please put it another way';

/** Serves a chat call of an API door: accepts the message, then tells its turn as it happens. */
export class ChatRunner {
  constructor(
    private readonly parts: {
      database: Database;
      inbox: Inbox;
      conversations: Conversations;
      companions: CompanionDirectory;
      events: TurnEvents;
      keys: Pick<ApiKeys, 'watch'>;
      replyTimeoutMs: number;
    },
  ) {}

  /**
   * Accepts a message and yields its events, ending with `done` or `error`. Once `accepted` was yielded the
   * turn goes on, whether or not anybody listens.
   * @throws AppError `unauthorized` once the caller's key was revoked or expired, also after events; `not_found` once
   *   they were erased
   */
  async *run(caller: Caller, door: Door, input: ChatInput): AsyncGenerator<ChatEvent> {
    const { parts } = this;
    requireScope(caller, 'chat');
    if (input.sentAt) requireScope(caller, 'import');
    if (input.sentAt && Date.parse(input.sentAt) > Date.now() + CLOCK_SKEW_MS)
      throw new AppError('invalid_request', 'sentAt is in the future', { field: 'sentAt' });
    const conversationId = await parts.conversations.idOf(await this.placeOf(caller, input));
    const events = new EventQueue();
    const unsubscribe = parts.events.subscribe(conversationId, (event) => events.push(event));
    const over = new AbortController();
    const unwatch = parts.keys.watch((ended) => {
      const isRevoked = ended.includes(caller.keyId);
      const why = isRevoked ? new AppError('unauthorized', 'the key was revoked') : erasedError(undefined);
      if (isEnded(caller, ended)) over.abort(why);
    });
    try {
      const messageId = input.messageId ?? randomUUID();
      const { pictures = [] } = input;
      const { inboxId, duplicate } = await parts.inbox.accept(
        {
          conversationId,
          personId: caller.personId,
          door,
          externalId: messageId,
          origin: 'message',
          text: [input.message, ...pictures.map(({ name }) => noteOfSent('a picture', name))].join('\n'),
          pictures: pictures.map(({ url }) => ({ url })),
          target: null,
          sentAt: input.sentAt ? new Date(input.sentAt) : new Date(),
        },
        0,
      );
      events.keepOnly(inboxId);
      // The store has them; the request, which may wait for minutes, would hold them in memory.
      pictures.length = 0;
      yield { type: 'accepted', conversationId, messageId };
      for await (const event of this.follow(caller.personId, inboxId, events, duplicate)) {
        over.signal.throwIfAborted();
        requireTime(caller.expiresAt, new Date());
        if (event) yield event;
      }
    } finally {
      unwatch();
      unsubscribe();
    }
  }

  /** Ends the caller's unanswered messages in this thread without an answer. */
  async stop(caller: Caller, thread: Pick<ChatInput, 'companion' | 'conversation'>): Promise<number> {
    requireScope(caller, 'chat');
    const conversationId = await this.parts.conversations.find(await this.placeOf(caller, thread));
    if (conversationId === null) return 0;
    return this.parts.inbox.stop({ conversationId, personId: caller.personId, at: new Date() });
  }

  private async placeOf(
    { personId }: Caller,
    { companion, conversation }: Pick<ChatInput, 'companion' | 'conversation'>,
  ): Promise<ConversationPlace> {
    return {
      companionId: await this.parts.companions.require(companion),
      door: 'http',
      // Threads are named by the caller, so each person has a namespace of their own.
      externalId: `${personId}.${conversation}`,
      kind: 'direct',
      personId,
    };
  }

  /** Yields the events of one message until its turn has ended or the time is over; null where none came for a while. */
  private async *follow(
    personId: string,
    inboxId: string,
    events: EventQueue,
    checksAtOnce: boolean,
  ): AsyncGenerator<ChatEvent | null> {
    const deadline = performance.now() + this.parts.replyTimeoutMs;
    let checksNow = checksAtOnce;
    let hasTold = false;
    while (performance.now() < deadline) {
      const next = checksNow ? null : await events.next(CHECK_EVERY_MS);
      if (next) {
        const { event } = next;
        // A try of the turn whose process died, or that failed, has told words that nobody took back.
        if (event.type === 'turn' && hasTold) yield { type: 'restart', turnId: event.turnId };
        hasTold = event.type === 'token';
        yield event;
        if (event.type === 'done') return;
        continue;
      }
      checksNow = false;
      const ended = await this.findEnd(personId, inboxId).catch((error: unknown) => {
        // The turn waits for a store that is away, and so does who waits for the turn.
        if (isUnavailable(error)) return null;
        throw error;
      });
      if (ended) {
        yield ended;
        return;
      }
      yield null;
    }
    const late = new AppError(
      'unavailable',
      'the reply is not there yet, but your message is safe: send it again with the same messageId to get the reply',
    );
    yield { type: 'error', problem: problemOf(late) };
  }

  private async findEnd(personId: string, inboxId: string): Promise<ChatEvent | null> {
    const { database } = this.parts;
    const [row] = await database.reader({ personId }).$queryRaw<
      { messageId: string; turnId: string | null; outcome: string | null }[]
    >`
      SELECT external_id AS "messageId", turn_id AS "turnId", outcome FROM inbox WHERE id = ${inboxId}::bigint`;
    if (!row) return { type: 'error', problem: problemOf(erasedError(undefined)) };
    if (!row.outcome) return null;
    if (!row.turnId) return { type: 'error', problem: problemOf(new AppError('conflict', UNANSWERABLE)) };
    const turn = await viewTurn(database, personId, row.turnId);
    // A turn names the messages of the transcript, which has none that nobody could answer, or that a hook refused.
    const messageIds = [...new Set(turn.messageIds).add(row.messageId)];
    return { type: 'done', turn: { ...turn, messageIds } };
  }
}
