import type { OutreachSettingsChange } from '@kith/contracts';
import type { OutreachSettingModel } from '@kith/database';

/** The places where a person allows outreach: at least one once they opted in, and no channel before that. */
export type Consent = Pick<OutreachSettingModel, 'optedIn' | 'direct' | 'channelId'>;

const NONE: Consent = { optedIn: false, direct: true, channelId: null };

/** A change of consent; what is left out stays as it is. */
export type ConsentChange = Pick<OutreachSettingsChange, 'optedIn' | 'direct' | 'channel'>;

/**
 * Plans a person's consent after a change. "Write to me here" allows that channel and no direct messages; a plain yes
 * allows direct messages; a plain no, or withdrawing the last place, ends it everywhere.
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
