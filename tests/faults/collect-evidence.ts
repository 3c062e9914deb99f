import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from './check-invariants.ts';
import type { FaultSuite } from './fault-suite.ts';
import { MARK, type LedgerEntry } from './ledger.ts';
import type { Traffic } from './traffic.ts';

/** Positions in the doubles' journals and the logs when a round began. */
export interface Bookmarks {
  requests: number;
  sent: number;
  edits: number;
  line: number;
  logs: ReadonlyMap<string, number>;
}

export async function placeBookmarks(suite: FaultSuite): Promise<Bookmarks> {
  const logs = new Map<string, number>();
  for (const file of await readdir(suite.logsDirectory)) {
    const handle = await open(join(suite.logsDirectory, file));
    logs.set(file, (await handle.stat()).size);
    await handle.close();
  }
  const [{ line } = { line: 0 }] = await suite.query<{ line: number }>(
    'SELECT coalesce(max(id), 0)::int AS line FROM transcript',
  );
  const { sent, edits } = suite.discord.journal;
  return { requests: suite.model.requests.length, sent: sent.length, edits: edits.length, line, logs };
}

/** Reads what a round's messages led to, past every fault. */
export async function collectEvidence(
  { suite, traffic }: { suite: FaultSuite; traffic: Traffic },
  entries: readonly LedgerEntry[],
  since: Bookmarks,
): Promise<Evidence> {
  const ids = entries.map(({ messageId }) => messageId);
  const inbox = await suite.query<Evidence['inbox'][number]>(
    `SELECT id::int, conversation_id AS "conversationId", person_id AS "personId", external_id AS "externalId", outcome,
       outcome_reason AS "outcomeReason", turn_id AS "turnId", overtaken, revision
     FROM inbox WHERE external_id = ANY($1)`,
    [ids],
  );
  const turnIds = inbox.flatMap(({ turnId }) => turnId ?? []);
  const turns = await suite.query<Evidence['turns'][number]>(
    `SELECT t.turn_id AS "turnId", t.conversation_id AS "conversationId", t.person_id AS "personId", t.outcome,
       (SELECT min(i.id)::int FROM inbox i WHERE i.turn_id = t.turn_id) AS "firstInboxId",
       r.id::int AS "replyId", r.text AS reply
     FROM turns t LEFT JOIN transcript r ON r.turn_id = t.turn_id AND r.role = 'companion'
     WHERE t.turn_id = ANY($1)`,
    [turnIds],
  );
  const outbox = await suite.query<Omit<Evidence['outbox'][number], 'posted'>>(
    `SELECT turn_id AS "turnId", status, last_error AS "lastError", platform_ids AS "platformIds", text
     FROM outbox WHERE turn_id = ANY($1)`,
    [turnIds],
  );
  const memories = await suite.query<Evidence['memories'][number] & { sources: string[]; shelf: string }>(
    `SELECT id, person_id AS "personId", audience, text, sources, shelf FROM memories`,
  );
  const said = await suite.query<Evidence['said'][number]>(
    `SELECT turn_id AS "turnId", text FROM transcript WHERE id > $1 AND role = 'companion' AND turn_id IS NOT NULL`,
    [since.line],
  );
  const ended = await suite.query<{ externalId: string; turnId: string | null; personId: string }>(
    'SELECT external_id AS "externalId", turn_id AS "turnId", person_id AS "personId" FROM inbox',
  );
  const written = writtenSince(suite, since);
  const owners = await suite.query<{ id: string; count: number }>(
    `SELECT posted AS id, count(*)::int AS count FROM outbox, unnest(platform_ids) posted
     WHERE posted = ANY($1) GROUP BY posted`,
    [written.map(({ id }) => id)],
  );
  const dead = await suite.query<{ turnId: string }>(
    `SELECT turn_id AS "turnId" FROM turns WHERE turn_id = ANY($1) AND follow_up_problem IS NOT NULL`,
    [turnIds],
  );
  const points = new Set(await indexedIds(suite));
  // What is in quarantine or in the archive is in no index.
  const known = new Set(memories.filter(({ shelf }) => shelf === 'open').map(({ id }) => id));
  return {
    inbox,
    turns,
    outbox: outbox.map((row) => ({
      ...row,
      posted: row.platformIds.map((id) => suite.discord.world.messages.get(id)?.content ?? ''),
    })),
    remembered: new Set(memories.flatMap(({ sources }) => sources)),
    deadTurns: new Set(dead.map(({ turnId }) => turnId)),
    unindexed: [...known].filter((id) => !points.has(id)),
    orphanPoints: [...points].filter((id) => !known.has(id)),
    written,
    shown: shownSince(suite, since),
    owners: new Map(owners.map(({ id, count }) => [id, count])),
    missing: outbox
      .flatMap(({ platformIds }) => platformIds)
      .filter((id) => !suite.discord.world.messages.has(id)),
    said,
    turnOf: new Map(ended.map(({ externalId, turnId }) => [externalId, turnId])),
    personOf: new Map(ended.map(({ externalId, personId }) => [externalId, personId])),
    memories,
    listed: await traffic.listMemories(),
    prompts: suite.model.requests.slice(since.requests).map(({ messages }) => promptOf(messages)),
    logs: await newLogs(suite, since),
  };
}

/**
 * Reads a prompt. What was asked may have a call and its result behind it. In a heartbeat nobody asks: whoever spoke last in
 * the talk before its notes stands for the place, and all it tells must be for them.
 */
export function promptOf(messages: readonly { role: string; text: string }[]): Evidence['prompts'][number] {
  const ofUser = messages.filter(({ role }) => role === 'user');
  const asked = ofUser.at(-1)?.text.includes('<heartbeat>') ? ofUser.at(-3) : ofUser.at(-1);
  return { marks: asked?.text.match(MARK) ?? [], text: messages.map(({ text }) => text).join('\n') };
}

/** Reads the companion's messages as they stand now, without those it took back. */
function writtenSince(suite: FaultSuite, since: Bookmarks): Evidence['written'] {
  const { journal, world } = suite.discord;
  const deleted = new Set(journal.deleted);
  return journal.sent
    .slice(since.sent)
    .filter(({ message }) => !deleted.has(message.id))
    .map(({ message }) => ({
      id: message.id,
      place: placeOf(suite, message.channel_id),
      text: world.messages.get(message.id)?.content ?? message.content,
      repliesTo: message.message_reference?.message_id ?? null,
    }));
}

/** Reads what was asked of Discord: the journal's messages say by now what the last edit made of them. */
function shownSince(suite: FaultSuite, since: Bookmarks): Evidence['shown'] {
  const { sent, edits } = suite.discord.journal;
  return [...sent.slice(since.sent), ...edits.slice(since.edits)].map(({ message, body }) => ({
    place: placeOf(suite, message.channel_id),
    text: JSON.stringify(body),
  }));
}

/** Ids of the memories that the vector index holds. */
export async function indexedIds(suite: FaultSuite): Promise<string[]> {
  if (suite.index === 'qdrant') return (await suite.qdrant.points()).map(({ id }) => id);
  const rows = await suite.query<{ id: string }>('SELECT memory_id AS id FROM memory_vectors');
  return rows.map(({ id }) => id);
}

function placeOf({ discord }: FaultSuite, channelId: string): string {
  const channel = discord.world.channels.get(channelId);
  if (channel?.type !== 1) return `channel:${channel?.name ?? channelId}`;
  const user = [...discord.world.users.values()].find((one) => discord.dmChannel(one).id === channelId);
  return `dm:${user?.username ?? channelId}`;
}

async function newLogs(suite: FaultSuite, since: Bookmarks): Promise<string> {
  const parts: string[] = [];
  for (const file of await readdir(suite.logsDirectory)) {
    const handle = await open(join(suite.logsDirectory, file));
    const from = since.logs.get(file) ?? 0;
    const size = (await handle.stat()).size - from;
    if (size > 0) parts.push((await handle.read(Buffer.alloc(size), 0, size, from)).buffer.toString('utf8'));
    await handle.close();
  }
  return parts.join('\n');
}
