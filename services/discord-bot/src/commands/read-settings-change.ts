import { OutreachSettings } from '@kith/contracts';
import type { z } from 'zod';

export interface SettingsOptions {
  outreach: string | null;
  timezone: string | null;
  quietFrom: string | null;
  quietUntil: string | null;
  dailyCap: number | null;
}

const Change = OutreachSettings.partial();

/** The options that were given as a change; null when none was; or what is wrong with them. */
export function readSettingsChange(
  options: SettingsOptions,
): { change: z.input<typeof Change> | null } | { problem: string } {
  const given = {
    ...(options.outreach === null ? {} : { optedIn: options.outreach === 'on' }),
    ...(options.timezone === null ? {} : { timeZone: options.timezone.trim() }),
    ...(options.quietFrom === null ? {} : { quietFrom: asClockTime(options.quietFrom) }),
    ...(options.quietUntil === null ? {} : { quietUntil: asClockTime(options.quietUntil) }),
    ...(options.dailyCap === null ? {} : { dailyCap: options.dailyCap }),
  };
  if (Object.keys(given).length === 0) return { change: null };
  const parsed = Change.safeParse(given);
  if (parsed.success) return { change: given };
  const names: Readonly<Record<string, string>> = {
    timeZone: 'timezone',
    quietFrom: 'quiet-from',
    quietUntil: 'quiet-until',
    dailyCap: 'daily-cap',
  };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `\`${names[String(path[0])] ?? String(path[0])}\`: ${message}`,
  );
  return { problem: `Nothing was changed. ${problems.join('; ')}.` };
}

/** `8:00` is meant as `08:00`. */
function asClockTime(text: string): string {
  return text.trim().padStart(5, '0');
}
