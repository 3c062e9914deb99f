import { canHear, channelAudience, type Audience, type OutreachSettings } from '@kith/contracts';

/** Where an outreach is said. */
export type OutreachPlace = { kind: 'direct' } | { kind: 'channel'; channelId: string };

/** What the person allows, and what stands in the way there. */
export interface Places {
  settings: Pick<OutreachSettings, 'direct' | 'channel'>;
  /** Why their direct messages are closed, if so. */
  unreachable: string | null;
  /** The operator keeps the channel quiet. */
  isChannelOff: boolean;
}

/** The audience of the channel that a person named. */
export function audienceOf(channelId: string): Audience {
  return channelAudience('discord', channelId);
}

/** The Discord channel that an audience is; null for any other. */
export function channelOf(audience: Audience): string | null {
  return /^channel:discord:(.+)$/.exec(audience)?.[1] ?? null;
}

/**
 * Where this may be said: in the channel that they named, if all who read there may hear it; or else in their direct
 * messages, if those are allowed and open. Null: nowhere. What was told in a DM, or in another channel, is never said
 * in a channel.
 * @param told who may hear of it, by where it was told; null when nobody told it
 */
export function choosePlace(places: Places, told: Audience | null): OutreachPlace | null {
  const channelId = openChannel(places);
  if (channelId !== null && (told === null || canHear(audienceOf(channelId), told))) {
    return { kind: 'channel', channelId };
  }
  return isDirectOpen(places) ? { kind: 'direct' } : null;
}

/** Is there any place where something could be said? */
export function isAnywhere(places: Places): boolean {
  return openChannel(places) !== null || isDirectOpen(places);
}

/** Why there is none, as the person is told. */
export function whyNowhere({ settings, unreachable, isChannelOff }: Places): string | null {
  const { direct, channel } = settings;
  if (direct && unreachable !== null) return unreachable;
  if (channel && isChannelOff) return 'the operator keeps that channel quiet';
  return channel?.problem ?? null;
}

function openChannel({ settings: { channel }, isChannelOff }: Places): string | null {
  return channel !== null && channel.problem === null && !isChannelOff ? channel.id : null;
}

function isDirectOpen({ settings: { direct }, unreachable }: Places): boolean {
  return direct && unreachable === null;
}
