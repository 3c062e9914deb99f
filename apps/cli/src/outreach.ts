import { OutreachChange, OutreachSettings, OutreachView } from '@kith/contracts';
import { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

export interface OutreachOptions {
  on?: boolean;
  off?: boolean;
  zone?: string;
  quietFrom?: string;
  quietUntil?: string;
  cap?: number;
  json?: boolean;
}

/**
 * The change that the flags ask for; null when they ask for none.
 * @throws CliError that says which flag is wrong
 */
export function planChange(options: OutreachOptions): z.output<typeof OutreachChange> | null {
  if (options.on && options.off) throw new CliError('say --on or --off, not both', 2);
  const { on, off, zone, quietFrom, quietUntil, cap } = options;
  const change = {
    ...(on || off ? { optedIn: Boolean(on) } : {}),
    ...(zone === undefined ? {} : { timeZone: zone }),
    ...(quietFrom === undefined ? {} : { quietFrom }),
    ...(quietUntil === undefined ? {} : { quietUntil }),
    ...(cap === undefined ? {} : { dailyCap: cap }),
  };
  if (Object.keys(change).length === 0) return null;
  const parsed = OutreachChange.safeParse(change);
  if (!parsed.success) throw new CliError(z.prettifyError(parsed.error).replaceAll('\n', ' '), 2);
  return parsed.data;
}

/** Changes when a companion may write first, or shows it with what it has in mind. */
export async function outreach({ api, terminal }: CommandContext, options: OutreachOptions): Promise<void> {
  const change = planChange(options);
  if (change) {
    const settings = await api.send('PATCH', '/v1/me/outreach', change, OutreachSettings);
    return options.json ? terminal.json(settings) : terminal.line(settingsLine(settings));
  }
  const view = await api.get('/v1/me/outreach', OutreachView);
  if (options.json) return terminal.json(view);
  terminal.line(settingsLine(view.settings));
  const open = view.intentions.filter(({ status }) => status === 'open');
  if (open.length > 0) {
    terminal.table(open, [
      { header: 'due', value: ({ dueAt }) => dueAt.slice(0, 16).replace('T', ' ') },
      { header: 'who', value: ({ companionId }) => companionId },
      { header: 'about', value: ({ about }) => about, flexible: true },
    ]);
  }
  if (view.recent.length > 0) {
    terminal.table(view.recent, [
      { header: 'decided', value: ({ decidedAt }) => decidedAt.slice(0, 16).replace('T', ' ') },
      { header: 'who', value: ({ companionId }) => companionId },
      { header: 'status', value: ({ status }) => status },
      { header: 'why', value: ({ because }) => because, flexible: true },
    ]);
  }
}

function settingsLine(settings: z.output<typeof OutreachSettings>): string {
  if (!settings.optedIn) return 'off: no companion writes to you first (kith outreach --on)';
  const { quietFrom, quietUntil, timeZone, dailyCap } = settings;
  return `on: at most ${dailyCap} a day, never between ${quietFrom} and ${quietUntil} (${timeZone})`;
}
