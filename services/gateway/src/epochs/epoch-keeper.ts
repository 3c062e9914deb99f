import type { EpochFindings } from '@kith/contracts';
import { toJsonb, uuid7, type Database, type Reader } from '@kith/database';
import type { CountTokens } from '@kith/llm';
import type { EarlierMessage, Talk } from '../conversations/talk.js';
import type { TalkReader } from '../conversations/talk-reader.js';
import { planSnapshot } from './plan-snapshot.js';

/** Conversation, and the person whom its talk is told. */
interface Place {
  conversationId: string;
  personId: string;
  epoch: Talk['epoch'];
}

/** Lines that one snapshot is made of: some weeks of a busy channel. */
const MAX_LINES = 5_000;

/** Ends epochs of conversations. Nothing is deleted: each epoch names lines of the transcript, and holds no words. */
export class EpochKeeper {
  constructor(
    private readonly database: Database,
    private readonly talks: TalkReader,
  ) {}

  /**
   * Ends the epoch whose talk does not fit the prompt any more. Where another turn has just done so, its epoch is taken.
   * Returns the talk as it is told now, and the check's result; null where there is nothing to compact.
   * @param tokens for the talk: the snapshot, the tail, and what is said until the next epoch
   */
  async reset(
    { conversationId, personId, epoch }: Place,
    tokens: number,
    count: CountTokens,
  ): Promise<{ talk: Talk; findings: EpochFindings } | null> {
    const lines = await this.database.read({ conversationId }, (reader) =>
      readAll(reader, conversationId, epoch),
    );
    const plan = planSnapshot(lines, tokens, count);
    if (plan === null) return null;
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

/** Reads all that the epoch tells to anybody there. Who is told what is decided when it is told. */
async function readAll(
  reader: Reader,
  conversationId: string,
  epoch: Talk['epoch'],
): Promise<EarlierMessage[]> {
  const rows = await reader.$queryRaw<EarlierMessage[]>`
    SELECT id, role, name, text, at, turn_id AS "turnId", external_id AS "externalId" FROM transcript
    WHERE conversation_id = ${conversationId}::uuid AND text <> '' AND (withheld IS NULL OR withheld = 'private')
      AND (id >= ${epoch?.tailFrom ?? 0n} OR id IN (
        SELECT unnest(kept) FROM epochs WHERE epoch_id = ${epoch?.id ?? null}::uuid))
    ORDER BY id DESC LIMIT ${MAX_LINES}`;
  return rows.reverse();
}
