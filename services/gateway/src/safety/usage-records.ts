import { sql, toJsonb, type Database, type Sql, type Writer } from '@kith/database';
import type { ModelUsage } from '@kith/contracts';
import type { ModelCards } from '@kith/llm';
import { UsageBook, type CountedCall } from '@kith/service-host';
import type { Logger } from 'pino';

/** Usage, with its time where that is not now. */
type DatedUsage = ModelUsage & { at?: string | null };

/** Receives the number of tokens spent, and the person; null: nobody in particular. */
type SpendListener = (personId: string | null, tokens: number) => void;

/** Stores the usage of every model of the suite: this process's as its calls end, other services' as they report it. */
export class UsageRecords {
  /** Usage that was counted here and is not written yet. */
  readonly book = new UsageBook();
  private onSpent: SpendListener = () => undefined;

  /** @param cards know more prices than other services do: what hosts list is read here alone */
  constructor(
    private readonly database: Database,
    private readonly cards: Pick<ModelCards, 'costOf'>,
  ) {}

  /** Begins to write what is counted. */
  start(logger: Logger): void {
    this.book.start(async (rows) => void (await this.write(rows)), logger);
  }

  /** Sets the listener that is called with the tokens that language models spend. */
  tell(listener: SpendListener): void {
    this.onSpent = listener;
  }

  /** Counts a call that has ended in this process. */
  note(call: CountedCall): void {
    this.book.note(call);
    const { promptTokens, completionTokens } = call.usage;
    this.onSpent(call.account.personId ?? null, promptTokens + completionTokens);
  }

  /**
   * Keeps what another service has counted. A report that comes twice, as after a lost answer, counts once.
   * @param countedAt time of the count, of which only an earlier day (UTC) matters: today's is counted as of now, as the
   *   day's sum is made of what comes
   */
  async hear(rows: ModelUsage[], countedAt: string | null = null): Promise<void> {
    const at =
      countedAt !== null && countedAt.slice(0, 10) < new Date().toISOString().slice(0, 10) ? countedAt : null;
    const written = await this.write(rows.map((row) => ({ ...row, cost: row.cost ?? this.costOf(row), at })));
    if (at !== null) return;
    const isNew = new Set(written.map(({ id }) => id));
    for (const { id, role, personId, promptTokens, completionTokens } of rows)
      if (isNew.has(id) && role !== 'embedding') this.onSpent(personId, promptTokens + completionTokens);
  }

  /** Works out a cost that was not known where it was counted. Only language models have cards. */
  private costOf(row: ModelUsage): number | null {
    return row.role === 'embedding' ? null : this.cards.costOf(row.model, row);
  }

  private write(rows: DatedUsage[]): Promise<{ id: string }[]> {
    return insertUsage(this.database.writer('system'), rows);
  }
}

/**
 * Writes rows of usage, each once, and returns those that were not there. For somebody who was erased meanwhile only the
 * cost is kept.
 * @param where a condition without which nothing is written
 */
export function insertUsage(
  tx: Writer,
  rows: readonly DatedUsage[],
  where: Sql = sql`TRUE`,
): Promise<{ id: string }[]> {
  return tx.$queryRaw`
    INSERT INTO usage (id, turn_id, conversation_id, person_id, companion_id, role, model, calls, prompt_tokens,
      completion_tokens, is_estimated, cost, at)
    SELECT id, CASE WHEN is_known THEN "turnId" END, CASE WHEN is_known THEN "conversationId" END,
      CASE WHEN is_known THEN "personId" END, "companionId", role, model, calls, "promptTokens",
      "completionTokens", "isEstimated", cost, COALESCE(at, now())
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS used (id uuid, "turnId" uuid, "conversationId" uuid,
        "personId" uuid, "companionId" text, role text, model text, calls int, "promptTokens" int,
        "completionTokens" int, "isEstimated" boolean, cost float8, at timestamptz),
      LATERAL (SELECT NOT EXISTS (SELECT 1 FROM erasures WHERE erased_id = "personId") AS is_known)
    WHERE ${where}
    ON CONFLICT (id) DO NOTHING
    RETURNING id`;
}
