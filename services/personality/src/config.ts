import {
  baseSettings,
  databaseSettings,
  modelSettings,
  timeZoneSetting,
} from '@kith/service-host/common-settings';
import { defineSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';

export const settings = defineSettings({
  ...baseSettings('PERSONALITY_PORT', 3002),
  database: databaseSettings(),
  models: modelSettings(),
  timeZone: timeZoneSetting(),
  companions: {
    folder: setting('COMPANIONS_DIR', z.string().optional()).is(
      'folder of your own persona files; the shipped companions are there without it',
    ),
  },
});

export type Config = SettingsOf<typeof settings>;
