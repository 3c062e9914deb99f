import { baseSettings, databaseSettings, days, timeZoneSetting } from '@kith/service-host/common-settings';
import { defineSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';
import { LAST_CALL_MS } from './decision/decide-outreach.js';

export const settings = defineSettings({
  ...baseSettings('SCHEDULER_PORT', 3004),
  database: databaseSettings(),
  timeZone: timeZoneSetting(),
  outreach: {
    scanEveryMs: setting(
      'OUTREACH_SCAN_EVERY_MS',
      z.coerce.number().int().min(1_000).max(LAST_CALL_MS).default(60_000),
    ).is('how often it is decided whether to write first, in milliseconds; 300000 at most'),
    keepDays: setting('OUTREACH_KEEP_DAYS', days(365, 60)).is(
      'days for which it is kept why a companion wrote; 60 at least, for the decisions that look back',
    ),
  },
  night: {
    at: setting(
      'NIGHT_AT',
      z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'an hour such as 03:30')
        .default('03:30'),
    ).is("when the past day is consolidated and reflected on, by the clock of each companion's zone"),
  },
});

export type Config = SettingsOf<typeof settings>;
