import { explainIssue, OutreachChange, readTopics, type OutreachSettings } from '@kith/contracts';
import type { z } from 'zod';

/** The settings as they were typed: text, valid or not. */
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

/** Fields that were typed in since, and are not saved yet. */
export type TypedFields = Partial<SettingsDraft>;

/** Readers of fields' texts; a field that is not named here keeps its text. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  dailyCap: numberOf,
  weeklyCap: numberOf,
  topicsOff: readTopics,
};

/** Fills the form with the settings in force. */
export function draftOf(settings: OutreachSettings): SettingsDraft {
  const { timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff } = settings;
  return {
    timeZone,
    quietFrom,
    quietUntil,
    dailyCap: String(dailyCap),
    weeklyCap: String(weeklyCap),
    topicsOff: topicsOff.join(', '),
  };
}

/** Finds the typed fields that differ from the settings. */
export function changedIn(typed: TypedFields, settings: OutreachSettings): TypedFields {
  return without(typed, draftOf(settings));
}

/** Leaves out the fields that have the same text in another draft. */
export function without(typed: TypedFields, other: TypedFields): TypedFields {
  return Object.fromEntries(
    Object.entries(typed).filter(([name, text]) => other[name as keyof SettingsDraft] !== text),
  );
}

/** The change that was typed, or what is wrong with it, by field. Other fields may have been changed elsewhere. */
export function readDraft(
  typed: TypedFields,
): { change: z.output<typeof OutreachChange> } | { problems: DraftProblems } {
  const parsed = OutreachChange.safeParse(
    Object.fromEntries(
      Object.entries(typed).map(([name, text]) => [name, READERS[name] ? READERS[name](text) : text]),
    ),
  );
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
