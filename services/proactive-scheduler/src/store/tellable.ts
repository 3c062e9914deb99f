import type { LeftPlaces, Prisma, Tx } from '@kith/database';
import { channelOf } from '../decision/choose-place.js';

/** Reasons that may be told, or acted upon: none from a place that the app has left. */
export async function tellable(tx: Tx, left: Pick<LeftPlaces, 'read'>): Promise<Prisma.IntentionWhereInput> {
  const audiences = await left.read(tx);
  return audiences.length === 0 ? {} : { OR: [{ audience: null }, { audience: { notIn: audiences } }] };
}

/** Attempts of a person's that may be told: of such reasons, and not for such a place. */
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
