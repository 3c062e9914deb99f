import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import { sql, uuid7, type SealedRows, type Tx } from '@kith/database';
import { rewordFacts } from '../facts/chosen-name.js';
import { removeMade, reviveEndedBy } from '../forget/remove-memories.js';
import { noteEffect, wasCarriedOut } from '../rows/effects.js';
import { isOutdatedNote, isPrivateNote } from '../rows/late-notes.js';
import { COLUMNS, lockPerson, type MemoryRow } from '../rows/memory-row.js';
import { contentHashOf } from '../words/content-hash.js';
import { decideWrite } from '../words/decide-write.js';
import { scoreImportance } from '../words/score-importance.js';
import { isAskedFor } from './is-asked-for.js';
import { orderAfterChange, type ChangeParts } from './order-after-change.js';

type Request = MemoryRequest<'amend'>;
type Outcome = MemoryAnswer<'amend'>['outcome'];
/** Outcome of the transaction, with what is left to do after it. */
interface AmendedMemory {
  outcome: Outcome;
  /** Memory that is not open any more. */
  hidden?: MemoryRow;
  lostSummaries?: readonly Date[];
}

/** Least characters of a part that names a memory: shorter parts are in many. */
const MIN_PART = 8;

/**
 * Puts a memory right, or takes it back, as its person asks the companion in their own words before its audience. The old
 * words stay on the shelf `withdrawn`, where their owner sees them and can have them back. The same call again changes
 * nothing.
 */
export async function amendMemory(parts: ChangeParts, request: Request): Promise<MemoryAnswer<'amend'>> {
  const amended = await parts.database.asPerson(request.personId, (tx) => amendIn(tx, request, parts.sealed));
  const { outcome, hidden, lostSummaries = [] } = amended;
  if (!hidden) return { outcome };
  // A point that stays does no harm: each result is checked against its row.
  await parts.writer.remove([hidden]).catch(() => undefined);
  await orderAfterChange(parts, hidden, { lostSummaries, isToRead: true });
  return { outcome };
}

async function amendIn(tx: Tx, request: Request, sealed: SealedRows): Promise<AmendedMemory> {
  const { personId, said, text, key } = request;
  await lockPerson(tx, personId);
  if (await wasCarriedOut(tx, key)) return { outcome: 'done-before' };
  if (await isPrivateNote(tx, request)) return { outcome: 'private' };
  // The message that asked for this is deleted or forgotten.
  if (await isOutdatedNote(tx, request)) return { outcome: 'not-asked-for' };
  const found = await findNamed(tx, request);
  const [held] = found;
  if (!held) return { outcome: 'not-found' };
  if (found.length > 1) return { outcome: 'ambiguous' };
  if (!isAskedFor({ memory: held, text, said })) return { outcome: 'not-asked-for' };
  if (text !== null && decideWrite(text, 0).kind === 'quarantine') return { outcome: 'not-kept' };
  if (text !== null && contentHashOf(text) === contentHashOf(held.text)) return { outcome: 'not-kept' };
  await noteEffect(tx, personId, key);
  const lostSummaries = held.kind === 'episode' ? await removeMade(tx, held, text, sealed) : [];
  // Kept behind it: a message that tells the old words and the new ones is a source of both.
  const by = text === null ? null : await keepNote(tx, request, text);
  const { companionId } = held;
  await reviveEndedBy(tx, held);
  const hidden = await tx.memory.update({
    where: { id: held.id },
    data: {
      shelf: 'withdrawn',
      shelfReason: by === null ? 'taken back' : 'corrected',
      indexedIn: null,
      ...(by !== null && { supersededBy: by }),
    },
  });
  if (held.kind === 'fact') await rewordFacts(tx, { personId, companionId });
  const outcome = by === null ? 'withdrawn' : 'corrected';
  return { outcome, hidden, lostSummaries };
}

/** Finds the memory that is named by its words, told before this audience alone: one that has all of them, or only them. */
async function findNamed(tx: Tx, { personId, companionId, audience, old }: Request): Promise<MemoryRow[]> {
  const wanted = old.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const words = sql`lower(regexp_replace(row.text, '\\s+', ' ', 'g'))`;
  const rows = await tx.$queryRaw<(MemoryRow & { isExact: boolean })[]>`
    SELECT ${COLUMNS}, ${words} = ${wanted} AS "isExact" FROM memories AS row
    WHERE row.person_id = ${personId}::uuid AND row.companion_id = ${companionId} AND row.audience = ${audience}
      AND row.shelf = 'open' AND row.kind IN ('episode', 'fact') AND row.writer <> 'operator'
      AND (${words} = ${wanted} OR ${wanted.length >= MIN_PART} AND strpos(${words}, ${wanted}) > 0)
    ORDER BY ${words} = ${wanted} DESC LIMIT 2`;
  return rows[0]?.isExact ? rows.slice(0, 1) : rows;
}

/** Keeps what a memory should say as a note of the companion's, from which no fact is read. Returns its id. */
async function keepNote(
  tx: Tx,
  { personId, companionId, audience, companionName, sources }: Request,
  text: string,
): Promise<string> {
  const where = { personId, companionId, audience, contentHash: contentHashOf(text) };
  const twin = await tx.memory.findFirst({ where });
  const saidAt = new Date();
  if (twin) {
    const all = [...new Set([...twin.sources, ...sources])];
    const open = {
      shelf: 'open',
      shelfReason: null,
      indexedIn: null,
      // It was corrected before: it counts again, and facts are read of it again.
      ...(twin.shelf === 'withdrawn' && { supersededBy: null, readAt: null }),
    };
    await tx.memory.update({ where: { id: twin.id }, data: { ...open, sources: { set: all }, saidAt } });
    return twin.id;
  }
  const id = uuid7();
  const note = { id, ...where, kind: 'episode', writer: 'companion', speaker: companionName, text, saidAt };
  await tx.memory.create({ data: { ...note, sources: { set: sources }, importance: scoreImportance(text) } });
  return id;
}
