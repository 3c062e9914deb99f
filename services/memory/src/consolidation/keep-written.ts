import type { Database, Tx } from '@kith/database';
import { subjectOf, subjectsForgotten } from '../rows/forgotten-subjects.js';
import type { Whose } from '../facts/reading-records.js';
import { lockPerson } from '../rows/memory-row.js';
import { subjectHashOf } from '../words/content-hash.js';
import { removeRows } from './remove-rows.js';
import type { CitedSentence } from './write-summary.js';

/** Lines of one audience that a text is written from, and the messages they came from. */
interface WrittenOf extends Whose {
  audience: string;
  /** Subject, a day or a topic; an audience has one text for each. */
  subject: string;
  statements: readonly { text: string }[];
  sources: string[];
  importance: number;
  saidAt: Date;
}

/**
 * Writes a text in the place of the one before, unless that is of the same messages, or its owner has put it right or
 * forgotten it.
 */
export async function keepWritten(
  database: Database,
  of: WrittenOf,
  write: () => Promise<{ text: string; sentences?: CitedSentence[] }>,
): Promise<void> {
  const { personId, companionId, audience, sources, importance, saidAt } = of;
  const key = { personId, companionId, audience, contentHash: subjectHashOf(of.subject) };
  const find = (tx: Tx) =>
    tx.memory.findUnique({ where: { personId_companionId_audience_contentHash: key } });
  const isTheirs = async (tx: Tx, held: Awaited<ReturnType<typeof find>>) =>
    held?.writer === 'person' || (await subjectsForgotten(tx, personId, [subjectOf(key)])).size > 0;
  const isDone = await database.asPerson(personId, async (tx) => {
    const before = await find(tx);
    return (before && isSameSet(before.sources, sources)) || isTheirs(tx, before);
  });
  if (isDone) return;
  // Written outside of the transaction: a model takes its time.
  const { text, sentences } = await write();
  await database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    if (!(await stillStands(tx, of))) return;
    const held = await find(tx);
    if (await isTheirs(tx, held)) return;
    if (held) await removeRows(tx, of, [held.id]);
    await tx.memory.create({
      data: {
        ...{ ...key, kind: 'reflection', writer: 'model', text, importance, sources, saidAt },
        pinned: held?.pinned ?? false,
        ...(sentences && { sentences: sentences.map((sentence) => ({ ...sentence })) }),
      },
    });
  });
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
      ...{ personId, companionId, audience, kind: 'episode', shelf: 'open' },
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
