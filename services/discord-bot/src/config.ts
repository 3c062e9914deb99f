import {
  baseSettings,
  databaseSettings,
  defaultCompanionSetting,
  httpAddress,
} from '@kith/service-host/common-settings';
import { defineSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';

export const settings = defineSettings({
  ...baseSettings('DISCORD_BOT_PORT', 3005),
  database: databaseSettings(),
  discord: {
    token: setting('DISCORD_TOKEN', z.string().optional()).is('bot token; empty: no Discord'),
    apiBase: setting('DISCORD_API_BASE', httpAddress.optional()).is(
      "another server that speaks Discord's API, such as http://localhost:4000/api",
    ),
  },
  catchUp: {
    minutes: setting(
      'DISCORD_CATCH_UP_MINUTES', // The gateway treats messages older than a day as history.
      z.coerce.number().int().min(0).max(1_440).default(720),
    ).is('how far back messages are answered that came while the bot was away; 1440 at most'),
    messages: setting(
      'DISCORD_CATCH_UP_MESSAGES',
      z.coerce.number().int().min(1).max(10_000).default(1_000),
    ).is('messages that are read up in one place at most, the newest ones'),
  },
  streamEdits: setting('DISCORD_STREAM_EDITS', z.stringbool().default(true)).is(
    'show a reply that takes its time while it is written, by editing one message',
  ),
  defaultCompanion: defaultCompanionSetting(),
});

export type Config = SettingsOf<typeof settings>;
