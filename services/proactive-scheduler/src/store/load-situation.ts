import { Audience, OutreachRestriction, type OutreachSettings, ReasonKind } from '@kith/contracts';
import { latestTime, type LeftPlaces, type Prisma, type Tx } from '@kith/database';
import { ATTEMPTS_WINDOW_MS } from '../decision/decide-outreach.js';
import { settingsOf } from './stored-settings.js';
import { channelOf } from '../decision/choose-place.js';

/**
 * Loads everything that a decision on one person needs. Times that lie ahead of now are left out: nobody waits until
 * they have come.
 */
export async function loadSituation(
  tx: Tx,
  left: Pick<LeftPlaces, 'read'>,
  defaults: OutreachSettings,
  { personId, now, isBusy }: { personId: string; now: Date; isBusy: boolean },
) {
  const known = await tx.outreachSetting.findUnique({ where: { personId } });
  // By the clock that is ahead, so that caps hold while it is this process's.
  const latest = new Date(Math.max(now.getTime(), (await latestTime(tx)).getTime()));
  const attempts = await tx.outreachAttempt.findMany({
    where: { personId, decidedAt: { gte: new Date(now.getTime() - ATTEMPTS_WINDOW_MS), lte: latest } },
  });
  const settings = settingsOf(known, defaults);
  return {
    personId,
    settings,
    isChannelOff: await isChannelOff(tx, settings.channel?.id),
    restriction: {
      ageState: OutreachRestriction.shape.ageState.parse(known?.ageState ?? 'unknown'),
      restUntil: known?.restUntil ?? null,
    },
    intentions: await intentionsWhere(tx, { personId, status: 'open', ...(await tellable(tx, left)) }),
    attempts: attempts.map((row) => ({ ...row, kind: ReasonKind.parse(row.kind) })),
    unanswered: known?.unanswered ?? 0,
    lastSpokeAt: known?.lastSpokeAt && known.lastSpokeAt <= latest ? known.lastSpokeAt : null,
    unreachable: known?.unreachable ?? null,
    isBusy,
    now,
  };
}

/** Loads intentions in the form of a decision. */
export async function intentionsWhere(tx: Tx, where: Prisma.IntentionWhereInput) {
  const rows = await tx.intention.findMany({ where });
  return rows.map((row) => ({
    ...row,
    kind: ReasonKind.parse(row.kind),
    audience: row.audience === null ? null : Audience.parse(row.audience),
  }));
}

async function isChannelOff(tx: Tx, channelId: string | undefined): Promise<boolean> {
  if (channelId === undefined) return false;
  return (await tx.outreachChannel.findUnique({ where: { channelId } }))?.mode === 'off';
}

/** Matches reasons that were not told in a place that the app has left: only those may be shown or acted on. */
export async function tellable(tx: Tx, left: Pick<LeftPlaces, 'read'>): Promise<Prisma.IntentionWhereInput> {
  const audiences = await left.read(tx);
  return audiences.length === 0 ? {} : { OR: [{ audience: null }, { audience: { notIn: audiences } }] };
}

/** Matches attempts with such a reason that are not for a place the app has left. */
export async function tellableAttempts(tx: Tx, left: Pick<LeftPlaces, 'read'>, personId: string) {
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
