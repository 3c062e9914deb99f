import { firstOf, timesAsText, TurnOutcome, type ReadTurn, TurnOrigin } from '@kith/contracts';
import type { Database, TranscriptMessageModel } from '@kith/database';
import { mayTell } from './may-tell.js';

/** Reads finished turns, as far as they may be told, in the order asked for. Leaves out missing ones. */
export async function readTurns(database: Database, turnIds: readonly string[]): Promise<ReadTurn[]> {
  const ids = [...turnIds];
  // Jobs carry turns' ids alone, so whose they are is not known before they are read.
  const [turns, messages] = await database.read('system', (reader) =>
    Promise.all([
      reader.$queryRaw<TurnRow[]>`
        SELECT turn_id AS "turnId", conversation_id AS "conversationId", companion_id AS "companionId",
          turns.person_id AS "personId", coalesce(display_name, 'someone') AS "displayName", door, audience, outcome,
          reason, origin, CASE WHEN origin = 'outreach' THEN (
            -- Turns from before an outreach had one of its own may have carried out several attempts.
            SELECT external_id FROM inbox WHERE inbox.turn_id = turns.turn_id AND origin = 'outreach'
              AND inbox.conversation_id = turns.conversation_id
            ORDER BY id LIMIT 1
          ) END AS "attemptId", started_at AS "startedAt", ended_at AS "endedAt"
        FROM turns LEFT JOIN people USING (person_id) WHERE turn_id = ANY (${ids}::uuid[])`,
      reader.$queryRaw<LineRow[]>`
        SELECT turn_id AS "turnId", person_id AS "personId", role, name, external_id AS "externalId", text, at, revision,
          withheld
        FROM transcript WHERE turn_id = ANY (${ids}::uuid[]) ORDER BY id`,
    ]),
  );
  const said = Map.groupBy(
    messages.filter((message) => mayTell(message, null)),
    ({ turnId }) => turnId,
  );
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  return turnIds.flatMap((turnId) => {
    const turn = byId.get(turnId);
    return turn ? readable(turn, said.get(turnId) ?? []) : [];
  });
}

type TurnRow = Omit<ReadTurn, 'startedAt' | 'endedAt' | 'messages'> & { startedAt: Date; endedAt: Date };

type LineRow = Pick<
  TranscriptMessageModel,
  'turnId' | 'personId' | 'role' | 'name' | 'externalId' | 'text' | 'at' | 'revision' | 'withheld'
>;

/** Tells whether any line of these turns has changed, was withheld, or is gone since it was written. */
export async function hasChangedLines(
  database: Database,
  turns: readonly Pick<ReadTurn, 'turnId' | 'messages'>[],
): Promise<boolean> {
  const rows = await database.reader('system').$queryRaw<{ unchanged: number }[]>`
    SELECT count(*) FILTER (WHERE withheld IS NULL AND revision = 0)::int AS unchanged FROM transcript
    WHERE turn_id = ANY (${turns.map(({ turnId }) => turnId)}::uuid[])`;
  return firstOf(rows).unchanged < turns.flatMap(({ messages }) => messages).length;
}

function readable(turn: TurnRow, messages: LineRow[]): ReadTurn {
  return {
    ...timesAsText(turn),
    // The name that the turn used, whatever they are called elsewhere or since.
    displayName: messages.find(({ role }) => role === 'person')?.name ?? turn.displayName,
    outcome: TurnOutcome.parse(turn.outcome),
    origin: TurnOrigin.parse(turn.origin),
    messages: messages.map((message) => ({
      role: message.role === 'companion' ? 'companion' : 'person',
      personId: message.role === 'companion' ? null : message.personId,
      externalId: message.externalId,
      text: message.text,
      at: message.at.toISOString(),
      revision: message.revision,
    })),
  };
}
