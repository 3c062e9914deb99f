import { explainIssue, OutreachSettingsChange, readTopics } from '@kith/contracts';

export interface SettingsOptions {
  outreach: string | null;
  timezone: string | null;
  quietFrom: string | null;
  quietUntil: string | null;
  dailyCap: number | null;
  weeklyCap: number | null;
  topicsOff: string | null;
}

/** The options that were given as a change; null when none was; or what is wrong with them. `here`: the channel, if it is one. */
export function readSettingsChange(
  options: SettingsOptions,
  here: string | null,
): { change: OutreachSettingsChange | null } | { problem: string } {
  const given = {
    ...consentOf(options.outreach, here),
    ...(options.timezone === null ? {} : { timeZone: options.timezone.trim() }),
    ...(options.quietFrom === null ? {} : { quietFrom: asClockTime(options.quietFrom) }),
    ...(options.quietUntil === null ? {} : { quietUntil: asClockTime(options.quietUntil) }),
    ...(options.dailyCap === null ? {} : { dailyCap: options.dailyCap }),
    ...(options.weeklyCap === null ? {} : { weeklyCap: options.weeklyCap }),
    ...(options.topicsOff === null ? {} : { topicsOff: topicsOf(options.topicsOff) }),
  };
  if (Object.keys(given).length === 0) return { change: null };
  const parsed = OutreachSettingsChange.safeParse(given);
  if (parsed.success) return { change: parsed.data };
  const names: Readonly<Record<string, string>> = {
    timeZone: 'timezone',
    quietFrom: 'quiet-from',
    quietUntil: 'quiet-until',
    dailyCap: 'daily-cap',
    weeklyCap: 'weekly-cap',
    topicsOff: 'topics-off',
  };
  const problems = parsed.error.issues.map(
    (issue) => `\`${names[String(issue.path[0])] ?? String(issue.path[0])}\`: ${explainIssue(issue)}`,
  );
  return { problem: `Nothing was changed. ${problems.join('; ')}.` };
}

/** "Here" is the channel that it is said in; in a DM it is the DM. */
function consentOf(outreach: string | null, here: string | null) {
  if (outreach === null) return {};
  return outreach === 'here' && here !== null ? { channel: here } : { optedIn: outreach !== 'off' };
}

/** `8:00` is meant as `08:00`. */
function asClockTime(text: string): string {
  return text.trim().padStart(5, '0');
}

/** `work, my ex`; `none` for no topic at all. */
function topicsOf(list: string): string[] {
  return readTopics(list).filter((topic) => topic.toLowerCase() !== 'none');
}
