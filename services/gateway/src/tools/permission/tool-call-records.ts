import { AppError, present } from '@kith/contracts';
import { rawSql, toJsonb, uuid7, type Database, type Writer } from '@kith/database';
import type { ToolPlace } from './find-permission.js';

/** Call of a tool that reaches outside. */
export interface NewToolCall {
  key: string;
  personId: string;
  conversationId: string | null;
  turnId: string | null;
  tool: string;
  pin: string;
  place: ToolPlace;
  arguments: Record<string, unknown>;
}

/** A worker's lease of a turn, by the message that carries it. */
interface Lease {
  personId: string;
  conversationId: string;
  inboxId: bigint;
  leaseToken: number;
}

export interface NotedCall extends NewToolCall {
  id: string;
  status: 'waiting' | 'running' | 'done' | 'failed' | 'declined' | 'expired';
  result: string | null;
  expiresAt: Date | null;
}

/** Time for an answer: after a quarter of an hour it is another moment, and another wish. */
const ANSWER_WITHIN_MS = 15 * 60_000;
/** Questions that may wait for one person: more is a model that keeps asking. */
const MAX_WAITING = 5;

const COLUMNS =
  rawSql(`id::text, key, person_id::text AS "personId", conversation_id::text AS "conversationId",
  turn_id::text AS "turnId", tool, pin, place, arguments, status, result, expires_at AS "expiresAt"`);

/** Calls in Postgres, noted before they are made. A call is carried out once, and a question answered once. */
export class ToolCallRecords {
  constructor(private readonly database: Database) {}

  /** Notes a question to the person; returns the earlier one if this call has asked before. */
  ask(call: NewToolCall, now: Date): Promise<NotedCall> {
    return this.database.write({ personId: call.personId }, async (tx) => {
      await tx.$executeRaw`
        UPDATE tool_calls SET status = 'expired', arguments = '{}', ended_at = ${now}
        WHERE id IN (
          SELECT id FROM tool_calls
          WHERE person_id = ${call.personId}::uuid AND status = 'waiting' AND key <> ${call.key}
          ORDER BY id DESC OFFSET ${MAX_WAITING - 1})`;
      return insert(tx, uuid7(), call, 'waiting', new Date(now.getTime() + ANSWER_WITHIN_MS));
    });
  }

  /** Notes that a call is being made. `isNew` is false where it was made before: it must not be made again. */
  async begin(call: NewToolCall): Promise<{ call: NotedCall; isNew: boolean }> {
    const id = uuid7();
    const noted = await this.database.write({ personId: call.personId }, (tx) =>
      insert(tx, id, call, 'running', null),
    );
    return { call: noted, isNew: noted.id === id };
  }

  /** Finds a call by its key; null where it was never noted. */
  async find(personId: string, key: string): Promise<NotedCall | null> {
    const [found] = await this.database.reader({ personId }).$queryRaw<NotedCall[]>`
      SELECT ${COLUMNS} FROM tool_calls WHERE key = ${key} AND person_id = ${personId}::uuid`;
    return found ?? null;
  }

  /**
   * Answers a waiting question. Only the first answer counts.
   * @param check throws where the call can't be made now: the question goes on waiting
   * @throws AppError `not_found`, or `conflict` where it was answered before or is too old
   */
  answer(
    personId: string,
    id: string,
    status: 'running' | 'declined',
    now: Date,
    check: (call: NotedCall) => void = () => undefined,
  ): Promise<NotedCall> {
    return this.database.write({ personId }, async (tx) => {
      const [found] = await tx.$queryRaw<NotedCall[]>`
        SELECT ${COLUMNS} FROM tool_calls WHERE id = ${id}::uuid AND person_id = ${personId}::uuid FOR UPDATE`;
      if (!found) throw new AppError('not_found', `no question ${id} of yours`);
      if (found.status !== 'waiting')
        throw new AppError('conflict', `this question is over: ${found.status}`);
      if (found.expiresAt === null || found.expiresAt <= now)
        throw new AppError('conflict', 'this question is too old; say again what you want');
      check(found);
      await tx.$executeRaw`
        UPDATE tool_calls SET status = ${status}, answered_at = ${now},
          ended_at = CASE WHEN ${status} = 'declined' THEN ${now}::timestamptz END,
          arguments = CASE WHEN ${status} = 'declined' THEN '{}' ELSE arguments END
        WHERE id = ${id}::uuid`;
      return found;
    });
  }

  /**
   * Notes the end of a call and drops its arguments, which nobody needs any more. Of one that lost its words while it was
   * being made (`WITHOUT_WORDS`), only how it ended.
   */
  async end(personId: string, id: string, status: 'done' | 'failed', result: string): Promise<void> {
    await this.database.writer({ personId }).$executeRaw`
      UPDATE tool_calls SET status = ${status}, result = CASE status WHEN 'running' THEN ${result}::text END,
        arguments = '{}', ended_at = now()
      WHERE id = ${id}::uuid AND (status = 'running' OR status = 'failed' AND result IS NULL)`;
  }

  /** Withdraws what a turn asks. A worker that has lost its lease withdraws nothing: another asks for the turn now. */
  async withdraw({ personId, conversationId, inboxId, leaseToken }: Lease, turnId: string): Promise<void> {
    await this.database.writer({ personId, conversationId }).$executeRaw`
      WITH held AS MATERIALIZED (
        SELECT 1 FROM inbox WHERE id = ${inboxId} AND lease_token = ${leaseToken} FOR UPDATE
      )
      DELETE FROM tool_calls
      WHERE person_id = ${personId}::uuid AND turn_id = ${turnId}::uuid AND status = 'waiting'
        AND EXISTS (SELECT 1 FROM held)`;
  }

  /** Lists what was put to a person in these turns, with what became of it, the newest last. */
  askedIn(personId: string, turnIds: readonly string[]): Promise<NotedCall[]> {
    return this.database.reader({ personId }).$queryRaw<NotedCall[]>`
      SELECT * FROM (
        SELECT ${COLUMNS} FROM tool_calls
        WHERE person_id = ${personId}::uuid AND turn_id = ANY (${[...turnIds]}::uuid[]) AND expires_at IS NOT NULL
        ORDER BY id DESC LIMIT ${MAX_WAITING}) AS newest
      ORDER BY id`;
  }

  /** Lists what waits for a person's answer, the oldest first. */
  waiting(personId: string, now: Date): Promise<NotedCall[]> {
    return this.database.reader({ personId }).$queryRaw<NotedCall[]>`
      SELECT ${COLUMNS} FROM tool_calls
      WHERE person_id = ${personId}::uuid AND status = 'waiting' AND expires_at > ${now}
      ORDER BY id LIMIT ${MAX_WAITING}`;
  }
}

async function insert(
  tx: Writer,
  id: string,
  call: NewToolCall,
  status: 'waiting' | 'running',
  expiresAt: Date | null,
): Promise<NotedCall> {
  const { key, personId, conversationId, turnId, tool, pin, place } = call;
  await tx.$executeRaw`
    INSERT INTO tool_calls (id, key, person_id, companion_id, conversation_id, turn_id, tool, pin, place, arguments,
      status, expires_at)
    VALUES (${id}::uuid, ${key}, ${personId}::uuid, ${place.companionId}, ${conversationId}::uuid, ${turnId}::uuid,
      ${tool}, ${pin}, ${toJsonb(place)}::jsonb, ${toJsonb(call.arguments)}::jsonb, ${status}, ${expiresAt})
    ON CONFLICT (key) DO NOTHING`;
  const [row] = await tx.$queryRaw<NotedCall[]>`SELECT ${COLUMNS} FROM tool_calls WHERE key = ${key}`;
  return present(row);
}
