import type { OutreachSettings } from '@kith/contracts';
import type { OutreachSettingModel, Writer } from '@kith/database';

/** Returns the defaults of a person without settings; `timeZone` is the suite's. */
export function defaultSettings(timeZone: string): OutreachSettings {
  return {
    optedIn: false,
    direct: true,
    channel: null,
    timeZone,
    quietFrom: '22:00',
    quietUntil: '08:00',
    dailyCap: 1,
    weeklyCap: 5,
    topicsOff: [],
  };
}

/** Reads the settings of a row, or the defaults without one. */
export function settingsOf(row: OutreachSettingModel | null, defaults: OutreachSettings): OutreachSettings {
  if (row === null) return defaults;
  const { optedIn, direct, channelId, channelProblem } = row;
  const { timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff } = row;
  return {
    optedIn,
    direct,
    channel: channelId === null ? null : { id: channelId, problem: channelProblem },
    timeZone,
    quietFrom,
    quietUntil,
    dailyCap,
    weeklyCap,
    topicsOff,
  };
}

/**
 * Makes sure that the person has a row. No upsert: Prisma's selects before it inserts, and fails on a concurrent
 * insert.
 */
export async function ensureSettings(
  tx: Writer,
  personId: string,
  { optedIn, direct, timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff }: OutreachSettings,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outreach_settings (person_id, opted_in, direct, time_zone, quiet_from, quiet_until, daily_cap,
      weekly_cap, topics_off, updated_at)
    VALUES (${personId}::uuid, ${optedIn}, ${direct}, ${timeZone}, ${quietFrom}, ${quietUntil}, ${dailyCap},
      ${weeklyCap}, ${[...topicsOff]}::text[], now())
    ON CONFLICT DO NOTHING`;
}

/** Locks the person's settings, so that another decision or change of consent waits for the end of the transaction. */
export async function lockSettings(tx: Writer, personId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM outreach_settings WHERE person_id = ${personId}::uuid FOR UPDATE`;
}
