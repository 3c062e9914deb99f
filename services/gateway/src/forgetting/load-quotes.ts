import type { Tx } from '@kith/database';
import { findQuotes, repeats, tellingWords } from './find-quotes.js';

/** Lines after a forgotten one that are looked at for repetitions: some weeks of a busy channel. */
const MAX_LATER = 5_000;
/** Finds replies, later ones too, that go with lines whose words are gone. */
export async function quotesOf(
  tx: Tx,
  lines: readonly { id: bigint; conversationId: string }[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): Promise<bigint[]> {
  const found: bigint[] = [];
  for (const [conversationId, own] of Map.groupBy(lines, (line) => line.conversationId)) {
    const first = own.reduce((least, { id }) => (id < least ? id : least), own[0]!.id);
    const later = await tx.transcriptMessage.findMany({
      where: { conversationId, id: { gte: first } },
      orderBy: { id: 'asc' },
      take: MAX_LATER,
      select: { id: true, turnId: true, role: true, text: true, withheld: true },
    });
    const quotes = findQuotes(later, gone, withReplies);
    const told = new Set(later.filter(({ withheld }) => withheld !== 'deleted').map(({ id }) => id));
    found.push(...quotes.filter((id) => told.has(id)));
  }
  return found;
}

/** Finds, of replies written with a memory in view, those that repeat its words, and those that repeat such a reply. */
export async function recalledQuotes(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  if (turnIds.length === 0) return [];
  const lines = await tx.transcriptMessage.findMany({
    where: { turnId: { in: [...turnIds] }, OR: [{ withheld: null }, { withheld: 'left' }] },
    select: { id: true, conversationId: true, turnId: true, role: true, text: true },
  });
  const saidIn = (turnId: string) =>
    lines.flatMap((line) =>
      line.turnId === turnId && line.role === 'person' ? [...tellingWords(line.text)] : [],
    );
  const found = lines
    .filter(({ role }) => role === 'companion')
    .filter(({ text, turnId }) => repeats(text, words, new Set(saidIn(turnId))));
  const repeated = new Map(
    found.map(({ id, text }) => [id, new Set([...tellingWords(text)].filter((word) => words.has(word)))]),
  );
  return [...repeated.keys(), ...(await quotesOf(tx, found, repeated, false))];
}
