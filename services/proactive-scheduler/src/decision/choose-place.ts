import { canHear, channelAudience, type Audience, type OutreachSettings } from '@kith/contracts';

/** The place where an outreach is said: a channel, or direct messages, for which that is null. */
export type OutreachPlace = { channelId: string | null };

/** The places that a person allows, and obstacles there. */
export interface Places {
  settings: Pick<OutreachSettings, 'direct' | 'channel'>;
  /** The reason why their direct messages are closed; null while they are open. */
  unreachable: string | null;
  /** True where the operator closed the channel to outreach. */
  isChannelOff: boolean;
}

/** Returns the audience of the channel that a person named. */
export function audienceOf(channelId: string): Audience {
  return channelAudience('discord', channelId);
}

/** Returns the Discord channel of an audience; null for any other audience. */
export function channelOf(audience: Audience): string | null {
  return /^channel:discord:(.+)$/.exec(audience)?.[1] ?? null;
}

/**
 * Chooses the place to say this: the channel that the person chose, if everyone there may hear it, else direct
 * messages, if those are allowed and open. Null if neither will do. Words from a DM or another channel are never said
 * in a channel.
 * @param told audience in which it was said; null where nobody said it
 */
export function choosePlace(places: Places, told: Audience | null): OutreachPlace | null {
  const channelId = openChannel(places);
  if (channelId !== null && (told === null || canHear(audienceOf(channelId), told))) {
    return { channelId };
  }
  return isDirectOpen(places) ? { channelId: null } : null;
}

/** Tells whether any place is open for outreach. */
export function isAnywhere(places: Places): boolean {
  return openChannel(places) !== null || isDirectOpen(places);
}

/** Explains, in words for the person, why there is no place. */
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
