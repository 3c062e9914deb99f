import {
  OutreachChange,
  OutreachChannelChange,
  OutreachRestrictionChange,
  outreachRoutes,
  readTopics,
  type OutreachOutlook,
  type OutreachSettings,
} from '@kith/contracts';
import type { z } from 'zod';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import { readTime } from '../input/read-time.js';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf } from '../terminal/value-words.js';
import { readList, tellMore } from '../suite/read-list.js';

export interface OutreachOptions {
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
  json?: boolean;
}

export interface RestrictionOptions {
  age?: string;
  restUntil?: string;
  json?: boolean;
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
  if (options.on && options.off) throw new CliError('use --on or --off, not both', 2);
  const { on, off, zone, quietFrom, quietUntil, cap, weeklyCap, topicsOff, direct, channel } = options;
  const change = {
    optedIn: on || off ? Boolean(on) : undefined,
    channel: channel === false ? null : undefined,
    timeZone: zone,
    dailyCap: cap,
    topicsOff: topicsOff === undefined ? undefined : readTopics(topicsOff),
    ...{ direct, quietFrom, quietUntil, weeklyCap },
  };
  if (Object.values(change).every((value) => value === undefined)) return null;
  return checkFlags(OutreachChange, change, CHANGE_FLAGS);
}

/** Changes when a companion may write first, or shows it with what it has in mind. */
export async function outreach({ api, terminal }: CommandContext, options: OutreachOptions): Promise<void> {
  const change = planChange(options);
  if (change) {
    const settings = await api.call(outreachRoutes.change, { body: change });
    return options.json ? terminal.json(settings) : terminal.line(settingsLine(settings));
  }
  const view = await api.call(outreachRoutes.show);
  if (options.json) return terminal.json(view);
  terminal.line(settingsLine(view.settings));
  if (view.settings.optedIn) terminal.line(outlookLine(view.outlook));
  const open = view.intentions.filter(({ status }) => status === 'open');
  if (open.length > 0) {
    terminal.table(open, [
      { header: 'due (UTC)', value: ({ dueAt }) => minuteOf(dueAt) },
      { header: 'who', value: ({ companionId }) => companionId },
      { header: 'about', value: ({ about }) => about, flexible: true },
    ]);
  }
  if (view.recent.length > 0) {
    terminal.table(view.recent, [
      { header: 'decided (UTC)', value: ({ decidedAt }) => minuteOf(decidedAt) },
      { header: 'who', value: ({ companionId }) => companionId },
      { header: 'status', value: ({ status }) => status },
      { header: 'why', value: ({ because }) => because, flexible: true },
    ]);
  }
}

/** Lists what companions started and why, the newest first. */
export async function whyOutreach(
  { api, terminal }: CommandContext,
  { limit, json }: { limit: number; json?: boolean },
): Promise<void> {
  const view = await readList('attempts', limit, (query) => api.call(outreachRoutes.attempts, { query }));
  if (json) return terminal.json(view);
  if (view.attempts.length === 0) return terminal.note('no companion has written to you first');
  terminal.table(view.attempts, [
    { header: 'decided (UTC)', value: ({ decidedAt }) => minuteOf(decidedAt) },
    { header: 'who', value: ({ companionId }) => companionId },
    { header: 'kind', value: ({ kind }) => kind },
    { header: 'where', value: ({ channelId }) => channelId ?? 'direct' },
    { header: 'status', value: ({ status, problem }) => (problem ? `${status}: ${problem}` : status) },
    { header: 'why', value: ({ because }) => because, flexible: true },
    { header: 'from', value: ({ sources }) => sources.join(' '), flexible: true },
  ]);
  tellMore(terminal, view);
}

/** Sets whether anybody is written to first in a channel; without a channel, lists those that have a setting. */
export async function outreachChannel(
  { api, terminal }: CommandContext,
  channelId: string | undefined,
  mode: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  if (channelId === undefined) {
    const list = await api.call(outreachRoutes.channels);
    if (json) return terminal.json(list);
    if (list.channels.length === 0) return terminal.note('no channel has a setting of its own');
    return terminal.table(list.channels, [
      { header: 'channel', value: (channel) => channel.channelId },
      { header: 'mode', value: (channel) => channel.mode },
    ]);
  }
  const change = checkFlags(OutreachChannelChange, { mode }, { mode: 'the mode' });
  const after = await api.call(outreachRoutes.changeChannel, { params: { id: channelId }, body: change });
  if (json) return terminal.json(after);
  terminal.line(`writing first in ${after.channelId}: ${after.mode}`);
}

/** Sets an operator's restrictions for one person: a minor is never written to first, nor anyone in a time of rest. */
export async function restrictOutreach(
  { api, terminal }: CommandContext,
  personId: string,
  { age, restUntil, json }: RestrictionOptions,
): Promise<void> {
  if (age === undefined && restUntil === undefined) throw new CliError('say --age or --rest-until', 2);
  const given = { ageState: age, restUntil: readRest(restUntil) };
  const change = checkFlags(OutreachRestrictionChange, given, { ageState: '--age' });
  const after = await api.call(outreachRoutes.restrict, { params: { id: personId }, body: change });
  if (json) return terminal.json(after);
  const rest = after.restUntil ? `, no outreach before ${after.restUntil}` : '';
  terminal.line(`age: ${after.ageState}${rest}`);
}

function readRest(text: string | undefined): string | null | undefined {
  if (text === 'none') return null;
  return text === undefined ? undefined : readTime('--rest-until', text).toISOString();
}

function outlookLine({ words, until }: OutreachOutlook): string {
  return until === null ? words : `${words} Not before ${minuteOf(until)} UTC.`;
}

/** Words one's own outreach settings. */
function settingsLine(settings: z.output<typeof OutreachSettings>): string {
  if (!settings.optedIn) return 'off: no companion writes to you first (kith outreach --on)';
  const { direct, channel, quietFrom, quietUntil, timeZone, dailyCap, weeklyCap, topicsOff } = settings;
  const topics = topicsOff.length === 0 ? '' : `; not about ${topicsOff.join(', ')}`;
  const where = [...(direct ? ['direct messages'] : []), ...(channel ? [`channel ${channel.id}`] : [])].join(
    ' and ',
  );
  const hours = quietFrom === quietUntil ? 'at any hour' : `never between ${quietFrom} and ${quietUntil}`;
  return `on in ${where}: at most ${dailyCap} a day and ${weeklyCap} a week, ${hours} (${timeZone})${topics}`;
}
