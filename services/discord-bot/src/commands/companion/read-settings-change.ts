import { explainIssue, OutreachSettingsChange, readTopics } from '@kith/contracts';

/** Options of the command by the fields of the settings that they give. */
const OPTIONS: Readonly<Record<string, string>> = {
  timeZone: 'timezone',
  quietFrom: 'quiet-from',
  quietUntil: 'quiet-until',
  dailyCap: 'daily-cap',
  weeklyCap: 'weekly-cap',
  topicsOff: 'topics-off',
};

/** Readers of what people give; any other field takes it as it is. */
const READERS: Readonly<Record<string, (given: string) => unknown>> = {
  timeZone: (given) => given.trim(),
  quietFrom: asClockTime,
  quietUntil: asClockTime,
  // `work, my ex`; `none` for no topic at all.
  topicsOff: (given) => readTopics(given).filter((topic) => topic.toLowerCase() !== 'none'),
};

/** The options that were given as a change; null when none was; or what is wrong with them. `here`: the channel, if it is one. */
export function readSettingsChange(valueOf: (option: string) => unknown, here: string | null) {
  const given = Object.entries(OPTIONS).flatMap(([field, option]) => {
    const value = valueOf(option);
    if (value === undefined) return [];
    return [[field, typeof value === 'string' ? (READERS[field]?.(value) ?? value) : value] as const];
  });
  const outreach = valueOf('outreach');
  if (outreach === undefined && given.length === 0) return { change: null };
  // "Here" is the channel that it is said in; in a DM it is the DM.
  const consent = outreach === 'here' && here !== null ? { channel: here } : { optedIn: outreach !== 'off' };
  const change = { ...(outreach !== undefined && consent), ...Object.fromEntries(given) };
  const parsed = OutreachSettingsChange.safeParse(change);
  if (parsed.success) return { change: parsed.data };
  const problems = parsed.error.issues.map((issue) => {
    const field = String(issue.path[0]);
    return `\`${OPTIONS[field] ?? field}\`: ${explainIssue(issue)}`;
  });
  return { problem: `Nothing was changed. ${problems.join('; ')}` };
}

/** `8:00` is meant as `08:00`. */
function asClockTime(given: string): string {
  return given.trim().padStart(5, '0');
}
