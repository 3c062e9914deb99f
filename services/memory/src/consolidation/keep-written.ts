import { CitedSentences } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { subjectOf, subjectsForgotten } from '../rows/forgotten-subjects.js';
import type { Pair } from '../rows/memory-scope.js';
import { lockPerson, type MemoryRow } from '../rows/memory-row.js';
import { subjectHashOf } from '../words/content-hash.js';
import type { CitedSentence } from './write-summary.js';

/** Lines of one audience that a text is written from, and the messages they came from. */
interface WrittenOf extends Pair {
  audience: string;
  /** Subject, a day or a topic; an audience has one text for each. */
  subject: string;
  statements: readonly { text: string }[];
  sources: string[];
  importance: number;
  saidAt: Date;
  /** Words the text from its sentences, where it also tells of lines that it is not written from, such as their number. */
  wordOf?: (sentences: readonly CitedSentence[]) => string;
}

/**
 * Writes a text in the place of the one before, unless its owner has put it right or forgotten it. One of the same messages
 * keeps its sentences.
 * @returns false where a line was changed or forgotten while it was written: it is lost then
 */
export async function keepWritten(
  database: Database,
  of: WrittenOf,
  write: () => Promise<{ text: string; sentences?: CitedSentence[] }>,
): Promise<boolean> {
  const { personId, companionId, audience, sources, importance, saidAt } = of;
  const key = { personId, companionId, audience, contentHash: subjectHashOf(of.subject) };
  const find = (tx: Tx) =>
    tx.memory.findUnique({ where: { personId_companionId_audience_contentHash: key } });
  const isTheirs = async (tx: Tx, held: Awaited<ReturnType<typeof find>>) =>
    held?.writer === 'person' || (await subjectsForgotten(tx, personId, [subjectOf(key)])).size > 0;
  const isDone = await database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    const before = await find(tx);
    if (await isTheirs(tx, before)) return true;
    if (!before || !isSameSet(before.sources, sources)) return false;
    await retell(tx, of, before);
    return true;
  });
  if (isDone) return true;
  // Written outside of the transaction: a model takes its time.
  const { text, sentences } = await write();
  return database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    if (!(await stillStands(tx, of))) return false;
    const held = await find(tx);
    if (await isTheirs(tx, held)) return true;
    if (held) await removeRows(tx, of, [held.id]);
    await tx.memory.create({
      data: {
        ...key,
        kind: 'reflection',
        writer: 'model',
        text,
        importance,
        sources: { set: sources },
        saidAt,
        pinned: held?.pinned ?? false,
        ...(sentences && { sentences: sentences.map((sentence) => ({ ...sentence })) }),
      },
    });
    return true;
  });
}

/** Words a text anew from the sentences that it has, for lines which came since and changed none of them. */
async function retell(tx: Tx, of: WrittenOf, { id, text, saidAt, sentences }: MemoryRow): Promise<void> {
  const held = CitedSentences.parse(sentences ?? []);
  if (!of.wordOf || held.length === 0) return;
  const now = { text: of.wordOf(held), saidAt: of.saidAt };
  if (now.text === text && now.saidAt.getTime() === saidAt.getTime()) return;
  if (!(await stillStands(tx, of))) return;
  const data = { ...now, importance: of.importance, indexedIn: null };
  await tx.memory.update({ where: { id }, data, select: { id: true } });
}

/**
 * Tells whether all lines are still there. Words that were forgotten or corrected while a model wrote must not
 * come back in its words.
 */
async function stillStands(tx: Tx, of: WrittenOf): Promise<boolean> {
  const { personId, companionId, audience, statements, sources } = of;
  const texts = statements.map(({ text }) => text);
  const open = await tx.memory.findMany({
    where: {
      personId,
      companionId,
      audience,
      kind: 'episode',
      shelf: 'open',
      OR: [{ sources: { hasSome: sources } }, { text: { in: texts } }],
    },
    select: { text: true, sources: true },
  });
  const told = new Set(open.map(({ text }) => text));
  const known = new Set(open.flatMap((row) => row.sources));
  return texts.every((text) => told.has(text)) && sources.every((source) => known.has(source));
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const held = new Set(a);
  return held.size === new Set(b).size && b.every((each) => held.has(each));
}

/** Removes rows, and notes their points as pending. Any message may be kept again. */
export async function removeRows(tx: Tx, { personId, companionId }: Pair, ids: string[]): Promise<void> {
  await tx.memory.deleteMany({ where: { id: { in: ids } } });
  await tx.forgetRecord.create({ data: { personId, companionId, everything: false, pending: { set: ids } } });
}
