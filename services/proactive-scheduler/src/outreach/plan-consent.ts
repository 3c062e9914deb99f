import type { OutreachSettingsChange } from '@kith/contracts';

/** Where a person allows outreach. Not opted in, there is no channel; opted in, there is at least one place. */
export interface Consent {
  optedIn: boolean;
  direct: boolean;
  channelId: string | null;
}

const NONE: Consent = { optedIn: false, direct: true, channelId: null };

/** A change with nothing but what was asked for. */
export type ConsentChange = {
  [Key in 'optedIn' | 'direct' | 'channel']?: OutreachSettingsChange[Key] | undefined;
};

/**
 * What a person allows after a change. "Write to me here" allows that channel and no direct messages; a plain yes is
 * one to direct messages; a plain no, or withdrawing the last place, ends it everywhere.
 */
export function planConsent(before: Consent, { optedIn, direct, channel }: ConsentChange): Consent {
  if (optedIn === false) return NONE;
  const begins = !before.optedIn && (optedIn === true || typeof channel === 'string');
  if (!before.optedIn && !begins) return NONE;
  const after: Consent = {
    optedIn: true,
    direct: direct ?? (optedIn === true || (!begins && before.direct)),
    channelId: channel === undefined ? before.channelId : channel,
  };
  return after.direct || after.channelId !== null ? after : NONE;
}
