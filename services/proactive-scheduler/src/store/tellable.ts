import type { LeftPlaces, Prisma, Tx } from '@kith/database';
import { channelOf } from '../decision/choose-place.js';

/** Matches reasons that were not told in a place that the app has left: only those may be shown or acted on. */
export async function tellable(tx: Tx, left: Pick<LeftPlaces, 'read'>): Promise<Prisma.IntentionWhereInput> {
  const audiences = await left.read(tx);
  return audiences.length === 0 ? {} : { OR: [{ audience: null }, { audience: { notIn: audiences } }] };
}

/** Matches attempts with such a reason that are not for a place the app has left. */
export async function tellableAttempts(
  tx: Tx,
  left: Pick<LeftPlaces, 'read'>,
  personId: string,
): Promise<Prisma.OutreachAttemptWhereInput> {
  const audiences = await left.read(tx);
  if (audiences.length === 0) return {};
  const held = await tx.intention.findMany({
    where: { personId, audience: { in: audiences } },
    select: { id: true },
  });
  const channels = audiences.flatMap((audience) => channelOf(audience) ?? []);
  return {
    AND: [
      { OR: [{ intentionId: null }, { intentionId: { notIn: held.map(({ id }) => id) } }] },
      { OR: [{ channelId: null }, { channelId: { notIn: channels } }] },
    ],
  };
}
