import { explainIssue, OutreachChange, readTopics, type OutreachSettings } from '@kith/contracts';
import type { z } from 'zod';

/** The settings as they stand in the form: text, whatever it may mean. */
export interface SettingsDraft {
  timeZone: string;
  quietFrom: string;
  quietUntil: string;
  dailyCap: string;
  weeklyCap: string;
  /** Topics with commas between. */
  topicsOff: string;
}
export type DraftProblems = Partial<Record<keyof SettingsDraft, string>>;

/** Fills the form with the settings in force. */
export function draftOf(settings: OutreachSettings): SettingsDraft {
  const { timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff } = settings;
  return {
    ...{ timeZone, quietFrom, quietUntil },
    ...{ dailyCap: String(dailyCap), weeklyCap: String(weeklyCap), topicsOff: topicsOff.join(', ') },
  };
}

/** The change that a draft asks for, or what is wrong with it, by field. */
export function readDraft(
  draft: SettingsDraft,
): { change: z.output<typeof OutreachChange> } | { problems: DraftProblems } {
  const parsed = OutreachChange.safeParse({
    ...draft,
    dailyCap: numberOf(draft.dailyCap),
    weeklyCap: numberOf(draft.weeklyCap),
    topicsOff: readTopics(draft.topicsOff),
  });
  if (parsed.success) return { change: parsed.data };
  const problems: DraftProblems = {};
  for (const issue of parsed.error.issues) {
    problems[issue.path[0] as keyof SettingsDraft] ??= explainIssue(issue);
  }
  return { problems };
}

/** Reads a number; an empty field is none, and not zero. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
