import type { Tx } from '@kith/database';

/** Lines of one audience that something was written of, and the messages they came from. */
interface WrittenOf {
  personId: string;
  companionId: string;
  audience: string;
  statements: readonly { text: string }[];
  sources: readonly string[];
}

/**
 * Tells whether lines stand as they were read. What was forgotten, taken back or put right while a model wrote must not
 * come back in its words.
 */
export async function stillStands(tx: Tx, of: WrittenOf): Promise<boolean> {
  const { personId, companionId, audience, statements, sources } = of;
  const texts = statements.map(({ text }) => text);
  const open = await tx.memory.findMany({
    where: {
      ...{ personId, companionId, audience, kind: 'episode', shelf: 'open' },
      OR: [{ sources: { hasSome: [...sources] } }, { text: { in: texts } }],
    },
    select: { text: true, sources: true },
  });
  const told = new Set(open.map(({ text }) => text));
  const known = new Set(open.flatMap((row) => row.sources));
  return texts.every((text) => told.has(text)) && sources.every((source) => known.has(source));
}
