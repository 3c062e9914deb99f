import { TimeZone } from '@kith/contracts';
import { baseSettings, databaseSettings, defineSettings, setting, type SettingsOf } from '@kith/service-host';
import { z } from 'zod';

export const settings = defineSettings({
  ...baseSettings('SCHEDULER_PORT', 3004),
  database: databaseSettings(),
  timeZone: setting(
    'KITH_TIME_ZONE',
    TimeZone.default('UTC'),
    'zone of the nightly run, and of people who have not named theirs',
  ),
  outreach: {
    scanEveryMs: setting(
      'OUTREACH_SCAN_EVERY_MS',
      z.coerce.number().int().min(1_000).default(60_000),
      'how often it is decided whether to write first, in milliseconds',
    ),
    keepDays: setting(
      'OUTREACH_KEEP_DAYS',
      z.coerce.number().int().min(60).default(365),
      'days for which it is kept why a companion wrote; 60 at least, for the decisions that look back',
    ),
  },
  night: {
    cron: setting(
      'NIGHT_CRON',
      z
        .string()
        .regex(/^(\S+ ){4}\S+$/, 'five fields, such as 30 3 * * *')
        .default('30 3 * * *'),
      'when the past day is consolidated and reflected on, as cron',
    ),
  },
});

export type Config = SettingsOf<typeof settings>;
