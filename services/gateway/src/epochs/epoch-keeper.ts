import type { EpochFindings } from '@kith/contracts';
import { sql, toJsonb, uuid7, type Database, type Reader } from '@kith/database';
import type { CountTokens } from '@kith/llm';
import type { EarlierMessage, Talk } from '../conversations/talk.js';
import type { TalkReader } from '../conversations/talk-reader.js';
import type { AskProbes } from './ask-probes.js';
import { planSnapshot } from './plan-snapshot.js';

/** Conversation, and the person to whom its talk is told. */
interface TalkPlace {
  conversationId: string;
  personId: string;
  companionId: string;
  epoch: Talk['epoch'];
}

/** Line of the talk. A private one is told to its own person alone, and no model makes questions of it. */
type TalkLine = EarlierMessage & { isPrivate: boolean };

/** Lines that one snapshot is made of: some weeks of a busy channel. */
const MAX_LINES = 5_000;

/** Ends epochs of conversations. Nothing is deleted: each epoch names lines of the transcript, and holds no words. */
export class EpochKeeper {
  constructor(
    private readonly database: Database,
    private readonly talks: TalkReader,
    /** Null without a fast model: rules make the questions then. */
    private readonly askProbes: AskProbes | null = null,
  ) {}

  /**
   * Ends an epoch whose talk no longer fits the prompt. If another turn has just done so, uses its new epoch.
   * Returns the talk as prompts tell it now, and the snapshot check's findings; null if there is nothing to compact.
   * @param tokens for the snapshot, the tail, and what is said until the next epoch
   */
  async reset(
    { conversationId, personId, companionId, epoch }: TalkPlace,
    tokens: number,
    count: CountTokens,
  ): Promise<{ talk: Talk; findings: EpochFindings } | null> {
    const lines = await readAll(this.database.reader({ conversationId }), conversationId, epoch);
    const first = planSnapshot(lines, tokens, count);
    if (first === null) return null;
    const account = { personId, companionId, conversationId };
    // Questions about lines of the snapshot before were made then.
    const from = epoch?.tailFrom ?? 0n;
    const leaving = lines.filter(({ id, isPrivate }) => id >= from && id < first.tailFrom && !isPrivate);
    const asked = (await this.askProbes?.(leaving, account)) ?? [];
    const plan = asked.length === 0 ? first : (planSnapshot(lines, tokens, count, asked) ?? first);
    const { tailFrom, kept, facts, findings } = plan;
    const talk = await this.database.write({ conversationId }, async (tx) => {
      const [, read] = await tx.last(() =>
        Promise.all([
          tx.$executeRaw`
            INSERT INTO epochs (epoch_id, conversation_id, person_id, number, tail_from, kept, facts, findings)
            SELECT ${uuid7()}::uuid, conversation_id, person_id, ${(epoch?.number ?? 0) + 1}, ${tailFrom},
              ${kept.map(String)}::bigint[], ${facts.map(String)}::bigint[], ${toJsonb(findings)}::jsonb
            FROM conversations WHERE conversation_id = ${conversationId}::uuid
            ON CONFLICT (conversation_id, number) DO NOTHING`,
          this.talks.read(tx, { conversationId, personId }),
        ]),
      );
      return read;
    });
    return { talk, findings };
  }
}

/**
 * Reads all lines that the epoch tells to anybody there. Prompts decide who is told which of them. Those of the snapshot are
 * read by their ids, apart from those after it: together, the whole talk would be looked through for them.
 */
async function readAll(reader: Reader, conversationId: string, epoch: Talk['epoch']): Promise<TalkLine[]> {
  const tailFrom = epoch?.tailFrom ?? 0n;
  const isOfIt = sql`conversation_id = ${conversationId}::uuid AND text <> ''
    AND (withheld IS NULL OR withheld = 'private')`;
  const rows = await reader.$queryRaw<TalkLine[]>`
    SELECT id, role, name, text, at, turn_id AS "turnId", person_id AS "personId", external_id AS "externalId",
      withheld IS NOT NULL AS "isPrivate"
    FROM (
      (SELECT * FROM transcript WHERE ${isOfIt} AND id >= ${tailFrom} ORDER BY id DESC LIMIT ${MAX_LINES})
      UNION ALL
      SELECT * FROM transcript WHERE ${isOfIt} AND id < ${tailFrom} AND id = ANY (
        (SELECT kept FROM epochs WHERE epoch_id = ${epoch?.id ?? null}::uuid)::bigint[])
    ) AS line
    ORDER BY id DESC LIMIT ${MAX_LINES}`;
  return rows.reverse();
}
