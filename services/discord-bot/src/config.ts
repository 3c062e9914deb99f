import {
  baseSettings,
  databaseSettings,
  defaultCompanionSetting,
  defineSettings,
  setting,
  type SettingsOf,
} from '@kith/service-host';
import { z } from 'zod';

export const settings = defineSettings({
  ...baseSettings('DISCORD_BOT_PORT', 3005),
  database: databaseSettings(),
  discord: {
    token: setting('DISCORD_TOKEN', z.string().trim().optional(), 'bot token; empty: no Discord'),
    apiBase: setting(
      'DISCORD_API_BASE',
      z.url({ protocol: /^https?$/ }).optional(),
      "another server that speaks Discord's API, such as http://localhost:4000/api",
    ),
  },
  streamEdits: setting(
    'DISCORD_STREAM_EDITS',
    z.stringbool().default(true),
    'show a reply that takes its time while it is written, by editing one message',
  ),
  defaultCompanion: defaultCompanionSetting(),
});

export type Config = SettingsOf<typeof settings>;
