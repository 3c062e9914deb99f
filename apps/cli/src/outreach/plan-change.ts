import { OutreachChange, readTopics } from '@kith/contracts';
import type { z } from 'zod';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';

interface OutreachOptions {
  on?: boolean;
  off?: boolean;
  zone?: string;
  quietFrom?: string;
  quietUntil?: string;
  cap?: number;
  weeklyCap?: number;
  topicsOff?: string;
  direct?: boolean;
  /** Only ever false: a channel can be allowed only from within it. */
  channel?: boolean;
}

const CHANGE_FLAGS = {
  timeZone: '--zone',
  quietFrom: '--quiet-from',
  quietUntil: '--quiet-until',
  dailyCap: '--cap',
  weeklyCap: '--weekly-cap',
  topicsOff: '--topics-off',
};

/**
 * The change that the flags ask for; null when they ask for none.
 * @throws CliError that says which flag is wrong
 */
export function planChange(options: OutreachOptions): z.output<typeof OutreachChange> | null {
  const { on, off, zone: timeZone, cap: dailyCap, topicsOff, channel } = options;
  if (on && off) throw new CliError('use --on or --off, not both', 2);
  const { direct, quietFrom, quietUntil, weeklyCap } = options;
  const change = {
    optedIn: on || off ? Boolean(on) : undefined,
    channel: channel === false ? null : undefined,
    topicsOff: topicsOff === undefined ? undefined : readTopics(topicsOff),
    direct,
    timeZone,
    quietFrom,
    quietUntil,
    dailyCap,
    weeklyCap,
  };
  if (Object.values(change).every((value) => value === undefined)) return null;
  return checkFlags(OutreachChange, change, CHANGE_FLAGS);
}
