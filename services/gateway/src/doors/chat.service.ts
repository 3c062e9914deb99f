import { randomUUID } from 'node:crypto';
import {
  AppError,
  erasedError,
  type ApiScope,
  type ChatEvent,
  type ChatRequest,
  type Door,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import type { Conversations } from '../turn/conversations.js';
import type { Inbox } from '../turn/inbox.service.js';
import { viewTurn } from '../turn/read-turns.js';
import type { TurnEvent, TurnEvents } from '../turn/turn-events.js';
import type { CompanionDirectory } from './companion-directory.js';
import { problemOf } from './problem-details.js';

export type ChatInput = Omit<z.output<typeof ChatRequest>, 'stream'>;

/** Live events may be lost: this often the truth in Postgres is looked at as well. */
const LOOK_MS = 1_000;

/** One chat call of an API door: accepts the message, then tells its turn as it happens. */
export class Chat {
  constructor(
    private readonly parts: {
      database: Database;
      inbox: Inbox;
      conversations: Conversations;
      companions: CompanionDirectory;
      events: TurnEvents;
      replyTimeoutMs: number;
    },
  ) {}

  /**
   * Accepts a message and yields its events, ending with `done` or `error`. Once `accepted` was yielded the
   * turn goes on, whether or not anybody listens.
   */
  async *run(caller: Caller, door: Door, input: ChatInput): AsyncGenerator<ChatEvent> {
    const { parts } = this;
    requireScope(caller, 'chat');
    if (input.sentAt) requireScope(caller, 'import');
    if (input.sentAt && Date.parse(input.sentAt) > Date.now() + CLOCK_SKEW_MS)
      throw new AppError('invalid_request', 'nothing was said later than now', { field: 'sentAt' });
    const conversationId = await this.#conversationOf(caller, input);
    const inbox = new EventQueue();
    const unsubscribe = parts.events.subscribe(conversationId, (event) => inbox.push(event));
    try {
      const messageId = input.messageId ?? randomUUID();
      const { inboxId, duplicate } = await parts.inbox.accept(
        {
          conversationId,
          personId: caller.personId,
          door,
          externalId: messageId,
          origin: 'message',
          text: input.message,
          target: null,
          sentAt: input.sentAt ? new Date(input.sentAt) : new Date(),
        },
        0,
      );
      yield { type: 'accepted', conversationId, messageId };
      yield* this.#follow(caller.personId, inboxId, inbox, duplicate);
    } finally {
      unsubscribe();
    }
  }

  /** Ends without an answer what the caller said in this thread and is not answered yet. */
  async stop(caller: Caller, thread: Pick<ChatInput, 'companion' | 'conversation'>): Promise<number> {
    requireScope(caller, 'chat');
    const conversationId = await this.#conversationOf(caller, thread);
    return this.parts.inbox.stop({ conversationId, personId: caller.personId, at: new Date() });
  }

  async #conversationOf(
    { personId }: Caller,
    { companion, conversation }: Pick<ChatInput, 'companion' | 'conversation'>,
  ): Promise<string> {
    const { companions, conversations } = this.parts;
    return conversations.idOf({
      companionId: await companions.require(companion),
      door: 'http',
      // Threads are named by the caller, so each person has a namespace of their own.
      externalId: `${personId}.${conversation}`,
      kind: 'direct',
      personId,
    });
  }

  async *#follow(
    personId: string,
    inboxId: string,
    inbox: EventQueue,
    lookAtOnce: boolean,
  ): AsyncGenerator<ChatEvent> {
    const deadline = performance.now() + this.parts.replyTimeoutMs;
    let look = lookAtOnce;
    while (performance.now() < deadline) {
      const next = look ? null : await inbox.next(LOOK_MS);
      if (next) {
        if (!next.inboxIds.includes(inboxId)) continue;
        yield next.event;
        if (next.event.type === 'done') return;
        continue;
      }
      look = false;
      const ended = await this.#lookUp(personId, inboxId);
      if (ended) {
        yield ended;
        return;
      }
    }
    const late = new AppError(
      'unavailable',
      'the reply is not there yet, but your message is safe: send it again with the same messageId to get the reply',
    );
    yield { type: 'error', problem: problemOf(late) };
  }

  async #lookUp(personId: string, inboxId: string): Promise<ChatEvent | null> {
    const { database } = this.parts;
    const [row] = await database.read(
      { personId },
      (reader) => reader.$queryRaw<{ turnId: string | null; outcome: string | null }[]>`
        SELECT turn_id AS "turnId", outcome FROM inbox WHERE id = ${inboxId}::bigint`,
    );
    if (!row) return { type: 'error', problem: problemOf(erasedError(undefined)) };
    if (!row.outcome) return null;
    if (!row.turnId) return { type: 'error', problem: problemOf(new AppError('conflict', UNANSWERABLE)) };
    return { type: 'done', turn: await viewTurn(database, personId, row.turnId) };
  }
}

/** @throws AppError `forbidden` that names the scope */
export function requireScope(caller: Caller, scope: ApiScope): void {
  if (!caller.scopes.includes(scope)) {
    throw new AppError('forbidden', `this API key lacks the scope "${scope}"`);
  }
}

/** A caller's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** A message that ended without a turn: nothing of it could be kept. */
const UNANSWERABLE = 'this message could not be answered; please put it another way';

/** Events as they came, for one reader. */
class EventQueue {
  readonly #events: TurnEvent[] = [];
  #wake: (() => void) | undefined;

  push(event: TurnEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** The next event, or null when none came in this time. */
  async next(waitMs: number): Promise<TurnEvent | null> {
    if (this.#events.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    return this.#events.shift() ?? null;
  }
}
