import { firstOf } from '@kith/contracts';
import { sql, toJsonb, type Database, type Sql, type Writer } from '@kith/database';
import { MAX_TOOL_NAME } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';
import { isCurrent } from '../inbox/lost-words.js';
import { type Interruption, TurnInterrupted } from '../signals/interruptions.js';
import { readSteps } from './read-steps.js';
import type { CallResult, KeptStep, StepCost, StepWords, StoredCall } from './step-words.js';
import { placeOf, type ThoughtCipher } from './thought-cipher.js';

/** Step as it is written, with its words encrypted already. */
export interface StepRow extends StepCost {
  number: number;
  sealed: string | null;
  calls: StoredCall[];
}

/** Call with what its tool changes. */
type MadeCall = Pick<StoredCall, 'name' | 'changes'>;

/**
 * Steps of one turn, committed one by one: a turn that is taken again goes on after the last finished one. A worker
 * that has lost its lease writes none.
 */
export class StepLog {
  /** Number of the last step, of all tries. */
  private count = 0;

  constructor(
    private readonly database: Database,
    private readonly cipher: ThoughtCipher,
    private readonly claim: Claim,
    readonly turnId: string,
  ) {}

  /** Reads what earlier tries of the turn left. Asks nothing at a first try. */
  async resume(): Promise<KeptStep[]> {
    if (this.claim.leaseToken <= 1 || this.count > 0) return [];
    const { conversationId } = this.claim;
    const kept = await readSteps(this.database, { conversationId }, this.cipher, this.turnId);
    this.count = kept.at(-1)?.number ?? 0;
    return kept;
  }

  /** Takes the number of the next step. */
  take(): number {
    this.count += 1;
    return this.count;
  }

  /** Makes a step's row, of calls that are yet to be carried out or have their results. */
  row(
    number: number,
    words: StepWords,
    cost: StepCost,
    made: readonly (MadeCall & { result?: CallResult | undefined })[] = words.calls,
  ): StepRow {
    const calls = made.map(({ result, ...call }, index): StoredCall =>
      result ? this.ended(number, index, call, result) : { ...named(call), state: 'planned' },
    );
    const { model, promptTokens, completionTokens } = cost;
    const sealed = this.cipher.encrypt(placeOf(this.turnId, number), words);
    return { number, sealed, calls, model, promptTokens, completionTokens };
  }

  /**
   * Commits a step. Whoever changes a message of the burst waits meanwhile, and sees the step then.
   * @throws TurnInterrupted when the lease went to another worker, or a message of the burst was changed or stopped: what
   *   such a step calls would carry old words on
   */
  async commit(row: StepRow): Promise<void> {
    const { conversationId, burst } = this.claim;
    const ids = burst.map(({ id }) => id);
    const revisions = burst.map(({ revision }) => revision);
    const isUnchanged = sql`NOT EXISTS (
      SELECT 1 FROM unnest(${ids}::bigint[], ${revisions}::int[]) AS claimed (id, revision) JOIN inbox USING (id)
      WHERE inbox.revision <> claimed.revision)`;
    const [, written] = await this.database.write({ conversationId }, (tx) =>
      tx.last(() =>
        Promise.all([
          tx.$executeRaw`SELECT 1 FROM inbox WHERE id = ANY (${ids}::bigint[]) AND outcome IS NULL ORDER BY id FOR SHARE`,
          insertStep(tx, this.claim, this.turnId, row, isUnchanged),
        ]),
      ),
    );
    if (written === 0) throw new TurnInterrupted(await this.whyRefused());
  }

  private async whyRefused(): Promise<Interruption> {
    const { conversationId, burst, leaseToken } = this.claim;
    const [found] = await this.database.reader({ conversationId }).$queryRaw<
      { isHeld: boolean; isStopped: boolean }[]
    >`
      SELECT EXISTS (SELECT 1 FROM inbox WHERE id = ${firstOf(burst).id} AND lease_token = ${leaseToken}) AS "isHeld",
        EXISTS (
          SELECT 1 FROM inbox WHERE id = ANY (${burst.map(({ id }) => id)}::bigint[]) AND stopped_at IS NOT NULL
        ) AS "isStopped"`;
    if (!found?.isHeld) return 'lease-lost';
    return found.isStopped ? 'stopped' : 'revised';
  }

  /** Notes how a call ended. Of a step whose words were forgotten meanwhile no result is kept. */
  async end(number: number, index: number, made: MadeCall, result: CallResult): Promise<void> {
    const { conversationId } = this.claim;
    const call = this.ended(number, index, made, result);
    await this.database.writer({ conversationId }).$executeRaw`
      UPDATE turn_steps SET calls = jsonb_set(calls, ARRAY[${String(index)}],
        CASE WHEN sealed IS NULL THEN ${toJsonb(call)}::jsonb - 'sealed' ELSE ${toJsonb(call)}::jsonb END)
      WHERE turn_id = ${this.turnId}::uuid AND number = ${number}`;
  }

  private ended(number: number, index: number, made: MadeCall, result: CallResult): StoredCall {
    const sealed = this.cipher.encrypt(placeOf(this.turnId, number, index), result);
    const { ok, mayBeDone } = result;
    return { ...named(made), state: 'ended', ok, sealed, ...(mayBeDone !== undefined && { mayBeDone }) };
  }
}

/** Makes the part of a call that is stored whatever comes of it. */
function named({ name, changes }: MadeCall): MadeCall {
  return { name: name.slice(0, MAX_TOOL_NAME), ...(changes && { changes }) };
}

/**
 * Writes a step, unless the lease went to another worker. Returns how many rows it wrote. What was forgotten since the
 * turn was claimed may stand in its words, which are left out then, as are those of private talk that is over; the lock
 * makes an order to forget wait for them.
 * @param where a further condition without which nothing is written
 */
export async function insertStep(
  tx: Writer,
  claim: Claim,
  turnId: string,
  row: StepRow,
  where: Sql = sql`TRUE`,
) {
  const { conversationId, personId, leaseToken, burst } = claim;
  const bare = row.calls.map(({ name, changes, state, ok }) => ({ name, changes, state, ok }));
  const times = burst.map(({ sentAt }) => sentAt);
  return tx.$executeRaw`
    WITH place AS MATERIALIZED (
      SELECT ${isCurrent(claim)} AS is_current FROM conversations
      WHERE conversation_id = ${conversationId}::uuid FOR SHARE
    ), kept AS MATERIALIZED (
      -- After the conversation's lock, in the order of whoever ends private talk.
      SELECT is_current AND kith_private(${personId}::uuid, ${times}::timestamptz[]) IS DISTINCT FROM 'over' AS has_words
      FROM place
    )
    INSERT INTO turn_steps (turn_id, number, person_id, conversation_id, model, prompt_tokens, completion_tokens,
      sealed, calls)
    SELECT ${turnId}::uuid, ${row.number}, ${personId}::uuid, ${conversationId}::uuid, ${row.model},
      ${row.promptTokens}, ${row.completionTokens}, CASE WHEN has_words THEN ${row.sealed}::text END,
      CASE WHEN has_words THEN ${toJsonb(row.calls)}::jsonb ELSE ${toJsonb(bare)}::jsonb END
    FROM kept
    WHERE EXISTS (SELECT 1 FROM inbox WHERE id = ${firstOf(burst).id} AND lease_token = ${leaseToken})
      AND ${where}`;
}
