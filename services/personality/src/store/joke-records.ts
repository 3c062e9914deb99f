import { DAY_MS } from '@kith/contracts';
import type { Database, Prisma, Tx } from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import {
  formsSaidIn,
  isLaterDay,
  phraseThatReturned,
  messagesOf,
  type SpokenTurn,
  commonAudience,
  type LaughedAt,
} from '../reading/shared-jokes.js';
import { lockPerson } from './lock-person.js';

/** Nobody shares more inside jokes than this; the one that has not come back for longest goes. */
const MAX_JOKES = 12;
/** Lines that were laughed at and may come back: this many are kept, for two months. */
const MAX_WAITING = 30;
const WAITS_MS = 60 * DAY_MS;

/** Jokes in Postgres: lines that were laughed at, and those that came back. */
export class JokeRecords {
  constructor(private readonly database: Database) {}

  /** The person's felt turn with this companion that came last before a time; private talk is never felt. */
  async turnBefore({ companionId, personId }: Pair, at: Date): Promise<string | null> {
    const row = await this.database.asPerson(personId, (tx) =>
      tx.feltTurn.findFirst({ where: { companionId, personId, at: { lt: at } }, orderBy: { at: 'desc' } }),
    );
    return row?.turnId ?? null;
  }

  /**
   * Keeps what was laughed at, and notes what came back in this turn. The same turn again changes nothing.
   * @param isStillSaid tells whether the turn before still says what it was read for; asked while nothing of the person's is
   *   forgotten here: its words are taken back at the gateway first
   */
  async note(
    pair: Pair,
    turn: SpokenTurn,
    laughedAt: readonly LaughedAt[],
    isStillSaid: () => Promise<boolean>,
  ): Promise<void> {
    const said = formsSaidIn(turn);
    await this.database.asPerson(pair.personId, async (tx) => {
      await lockPerson(tx, pair.personId);
      // Felt before, or forgotten while it was read.
      const isHandled = await tx.personalityHandledTurn.findUnique({ where: { turnId: turn.turnId } });
      if (isHandled) return;
      await noteReturns(tx, pair, turn, said);
      if (laughedAt.length > 0 && (await isStillSaid())) await keepWaiting(tx, pair, turn, laughedAt);
    });
  }
}

/**
 * Notes which known lines came back in a turn; jokes beyond the limit go.
 * @param said the turn's messages, as `formsSaidIn` returns them
 */
async function noteReturns(
  tx: Tx,
  { companionId, personId }: Pair,
  turn: SpokenTurn,
  said: readonly string[],
): Promise<void> {
  const known = await tx.sharedJoke.findMany({
    where: { companionId, personId, NOT: { turnIds: { has: turn.turnId } } },
  });
  for (const { id, lines, phrase, laughedAt, audience, turnIds, messageIds } of known) {
    if (!isLaterDay(turn.at, laughedAt.getTime())) continue;
    const again = phraseThatReturned(phrase === null ? lines : [phrase], said);
    if (again === null) continue;
    // Its phrase and sources are fixed the first time; later returns only keep it fresh.
    const found = {
      phrase: again,
      audience: commonAudience(audience, turn.audience),
      turnIds: { set: [...turnIds, turn.turnId] },
      messageIds: { set: [...messageIds, ...messagesOf(turn)] },
    };
    const data = { ...(phrase === null ? found : {}), returnedAt: new Date(turn.at) };
    await tx.sharedJoke.update({ where: { id }, data });
  }
  const came = { companionId, personId, phrase: { not: null } };
  await dropBeyond(tx, { where: came, orderBy: { returnedAt: 'desc' }, skip: MAX_JOKES });
}

/** Keeps lines that were laughed at, in case they come back; the oldest beyond the limits go. */
async function keepWaiting(
  tx: Tx,
  { companionId, personId }: Pair,
  turn: SpokenTurn,
  laughedAt: readonly LaughedAt[],
): Promise<void> {
  await tx.sharedJoke.createMany({
    data: laughedAt.map(({ saidBy, lines, turn: source }) => ({
      companionId,
      personId,
      saidBy,
      lines,
      turnId: source.turnId,
      audience: commonAudience(source.audience, turn.audience),
      turnIds: [...new Set([source.turnId, turn.turnId])],
      messageIds: [...new Set([...messagesOf(source), ...messagesOf(turn)])],
      laughedAt: new Date(turn.at),
    })),
    skipDuplicates: true,
  });
  const waiting = { companionId, personId, phrase: null };
  await tx.sharedJoke.deleteMany({ where: { ...waiting, laughedAt: { lt: new Date(turn.at - WAITS_MS) } } });
  await dropBeyond(tx, { where: waiting, orderBy: { laughedAt: 'desc' }, skip: MAX_WAITING });
}

async function dropBeyond(tx: Tx, which: Prisma.SharedJokeFindManyArgs): Promise<void> {
  const rows = await tx.sharedJoke.findMany(which);
  if (rows.length > 0) await tx.sharedJoke.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
}
