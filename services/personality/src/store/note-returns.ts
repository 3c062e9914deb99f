import type { Tx } from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import { commonAudience } from '../reading/common-audience.js';
import { phraseThatReturned, isLaterDay } from '../reading/phrase-that-returned.js';
import { type SpokenTurn, messagesOf } from '../reading/spoken-turn.js';

/** Nobody shares more inside jokes than this; the one that has not come back for longest goes. */
const MAX_JOKES = 12;

/** Notes which known lines came back in a turn; jokes beyond the limit go. */
export async function noteReturns(tx: Tx, { companionId, personId }: Pair, turn: SpokenTurn): Promise<void> {
  const known = await tx.sharedJoke.findMany({
    where: { companionId, personId, NOT: { turnIds: { has: turn.turnId } } },
  });
  for (const { id, lines, phrase, laughedAt, audience, turnIds, messageIds } of known) {
    if (!isLaterDay(turn.at, laughedAt.getTime())) continue;
    const again = phraseThatReturned(phrase === null ? lines : [phrase], turn);
    if (again === null) continue;
    // What it is and comes from is settled with the first time; after that it only stays fresh.
    const found = {
      phrase: again,
      audience: commonAudience(audience, turn.audience),
      turnIds: [...turnIds, turn.turnId],
      messageIds: [...messageIds, ...messagesOf(turn)],
    };
    const data = { ...(phrase === null ? found : {}), returnedAt: new Date(turn.at) };
    await tx.sharedJoke.update({ where: { id }, data });
  }
  const jokes = await tx.sharedJoke.findMany({
    where: { companionId, personId, phrase: { not: null } },
    orderBy: { returnedAt: 'desc' },
    skip: MAX_JOKES,
    select: { id: true },
  });
  await drop(tx, jokes);
}

/** Deletes jokes by id. */
export async function drop(tx: Tx, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length > 0) await tx.sharedJoke.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
}
