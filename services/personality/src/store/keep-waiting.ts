import { DAY_MS } from '@kith/contracts';
import type { Tx } from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import { commonAudience } from '../reading/common-audience.js';
import type { LaughedAt } from '../reading/find-laughed-at.js';
import { type SpokenTurn, messagesOf } from '../reading/spoken-turn.js';
import { drop } from './note-returns.js';

/** Lines that were laughed at and may come back: as many are kept, for two months. */
const MAX_WAITING = 30;
const WAITS_MS = 60 * DAY_MS;

/** Keeps lines that were laughed at, in case they come back; the oldest beyond the limits go. */
export async function keepWaiting(
  tx: Tx,
  { companionId, personId }: Pair,
  turn: SpokenTurn,
  laughedAt: readonly LaughedAt[],
): Promise<void> {
  await tx.sharedJoke.createMany({
    data: laughedAt.map(({ saidBy, lines, turn: source }) => ({
      ...{ companionId, personId, saidBy, lines, turnId: source.turnId },
      audience: commonAudience(source.audience, turn.audience),
      turnIds: [...new Set([source.turnId, turn.turnId])],
      messageIds: [...new Set([...messagesOf(source), ...messagesOf(turn)])],
      laughedAt: new Date(turn.at),
    })),
    skipDuplicates: true,
  });
  const waiting = { companionId, personId, phrase: null };
  await tx.sharedJoke.deleteMany({
    where: { ...waiting, laughedAt: { lt: new Date(turn.at - WAITS_MS) } },
  });
  const many = await tx.sharedJoke.findMany({
    where: waiting,
    orderBy: { laughedAt: 'desc' },
    skip: MAX_WAITING,
    select: { id: true },
  });
  await drop(tx, many);
}
