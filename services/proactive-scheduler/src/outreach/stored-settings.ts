import type { OutreachSettings } from '@kith/contracts';
import type { OutreachSettingModel, Tx } from '@kith/database';

/** What holds for a person who has said nothing about it; `timeZone` is the suite's. */
export function defaultSettings(timeZone: string): OutreachSettings {
  return {
    ...{ optedIn: false, direct: true, channel: null, timeZone },
    ...{ quietFrom: '22:00', quietUntil: '08:00', dailyCap: 1, weeklyCap: 5, topicsOff: [] },
  };
}

/** The settings of a row, or the defaults where there is none. */
export function settingsOf(row: OutreachSettingModel | null, defaults: OutreachSettings): OutreachSettings {
  if (row === null) return defaults;
  const { optedIn, direct, channelId, channelProblem } = row;
  const { timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff } = row;
  return {
    ...{ optedIn, direct, channel: channelId === null ? null : { id: channelId, problem: channelProblem } },
    ...{ timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff },
  };
}

/** Makes the person's row. Not an upsert: that looks first and inserts then, and another in between makes it fail. */
export async function ensureSettings(tx: Tx, personId: string, defaults: OutreachSettings): Promise<void> {
  const { channel: _, ...row } = defaults;
  await tx.outreachSetting.createMany({ data: [{ personId, ...row }], skipDuplicates: true });
}
