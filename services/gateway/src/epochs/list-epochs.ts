import { AppError, EpochFindings, type EpochView } from '@kith/contracts';
import { sql, type Database, type Reader } from '@kith/database';
import { toldTo } from '../conversations/may-tell.js';
import type { EarlierMessage, KeptLine } from '../conversations/talk.js';
import type { Viewer } from '../conversations/trace-turn.js';
import { snapshotBlock } from './snapshot-block.js';

interface Row {
  id: string | null;
  number: number;
  startedAt: Date;
  tailFrom: bigint;
  kept: string[];
  facts: string[];
  restoredFrom: number | null;
  findings: unknown;
}

/** Epochs that are listed: months of a busy conversation. */
const MAX_EPOCHS = 200;

/**
 * Lists the newest epochs of a conversation, oldest first. Only the conversation's own person sees snapshots, in the words
 * of a prompt of today.
 * @param timeZone of the viewer's clock; null where it is not known
 * @throws AppError `not_found`
 */
export async function listEpochs(
  database: Database,
  { personId, isOperator }: Viewer,
  conversationId: string,
  timeZone: string | null,
): Promise<EpochView[]> {
  return database.read(isOperator ? 'system' : { personId }, async (reader) => {
    const [place] = await reader.$queryRaw<
      { personId: string | null; createdAt: Date; companionName: string }[]
    >`
      SELECT person_id AS "personId", created_at AS "createdAt", coalesce((SELECT name FROM transcript
        WHERE conversation_id = ${conversationId}::uuid AND role = 'companion' ORDER BY id DESC LIMIT 1), '') AS "companionName"
      FROM conversations
      WHERE conversation_id = ${conversationId}::uuid AND (${isOperator} OR person_id = ${personId}::uuid)`;
    if (!place)
      throw new AppError('not_found', `no conversation ${conversationId}${isOperator ? '' : ' of yours'}`);
    const rows = await reader.$queryRaw<Row[]>`
      SELECT epoch_id AS id, number, started_at AS "startedAt", tail_from AS "tailFrom", kept::text[] AS kept,
        facts::text[] AS facts, restored_from AS "restoredFrom", findings
      FROM epochs WHERE conversation_id = ${conversationId}::uuid ORDER BY number DESC LIMIT ${MAX_EPOCHS}`;
    const first = { id: null, number: 0, startedAt: place.createdAt, tailFrom: 0n, kept: [], facts: [] };
    const epochs: Row[] = [
      ...(rows.length < MAX_EPOCHS ? [{ ...first, restoredFrom: null, findings: null }] : []),
      ...rows.reverse(),
    ];
    const isTheirs = place.personId === personId;
    const told = isTheirs
      ? await linesOf(reader, conversationId, personId, epochs)
      : new Map<string, EarlierMessage>();
    return epochs.map((epoch) => ({
      number: epoch.number,
      epochId: epoch.id,
      startedAt: epoch.startedAt.toISOString(),
      tailFrom: String(epoch.tailFrom),
      kept: epoch.kept.length,
      restoredFrom: epoch.restoredFrom,
      findings: EpochFindings.nullable().catch(null).parse(epoch.findings),
      snapshot: isTheirs ? snapshotBlock(linesIn(epoch, told), place.companionName, timeZone) : null,
    }));
  });
}

function linesIn({ kept, facts }: Row, told: ReadonlyMap<string, EarlierMessage>): KeptLine[] {
  const asFacts = new Set(facts);
  return kept.flatMap((id) => {
    const line = told.get(id);
    return line ? [{ ...line, asFact: asFacts.has(id) }] : [];
  });
}

async function linesOf(reader: Reader, conversationId: string, personId: string, epochs: readonly Row[]) {
  const ids = [...new Set(epochs.flatMap(({ kept }) => kept))];
  const lines = await reader.$queryRaw<EarlierMessage[]>`
    SELECT id, role, name, text, at, turn_id AS "turnId", person_id AS "personId", external_id AS "externalId"
    FROM transcript
    WHERE id = ANY (${ids}::bigint[]) AND conversation_id = ${conversationId}::uuid AND ${toldTo(personId)}`;
  return new Map(lines.map((line) => [String(line.id), line]));
}

/**
 * Goes back to an earlier epoch: begins a new one with its snapshot and all that was said since. The others stay. Returns
 * the new epoch's number.
 * @throws AppError `not_found`
 */
export async function restoreEpoch(database: Database, conversationId: string, number: number) {
  const old = sql`SELECT tail_from, kept, facts FROM epochs
    WHERE conversation_id = ${conversationId}::uuid AND number = ${number}`;
  const [made] = await database.writer('system').$queryRaw<{ number: number }[]>`
    INSERT INTO epochs (epoch_id, conversation_id, person_id, number, tail_from, kept, facts, restored_from)
    SELECT gen_random_uuid(), conversation_id, person_id,
      1 + coalesce((SELECT max(number) FROM epochs WHERE conversation_id = place.conversation_id), 0),
      old.tail_from, old.kept, old.facts, ${number}
    FROM conversations AS place CROSS JOIN LATERAL (
      ${old} UNION ALL SELECT 0, '{}'::bigint[], '{}'::bigint[] WHERE ${number} = 0) AS old
    WHERE conversation_id = ${conversationId}::uuid
    RETURNING number`;
  if (!made) throw new AppError('not_found', `no epoch ${number} of conversation ${conversationId}`);
  return made.number;
}
