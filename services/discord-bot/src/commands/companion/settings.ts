import { AppError, MAX_DAILY_CAP, MAX_WEEKLY_CAP, outreachContract } from '@kith/contracts';
import { quietChannels } from '../../places/quiet-channels.js';
import { reachIn } from '../../places/reach.js';
import { writingIn } from '../../rest/may-write.js';
import type { Command } from '../command.js';
import { countOption, textOption } from '../options.js';
import { describeSettings } from './companion-words.js';
import { readSettingsChange } from './read-settings-change.js';

const QUIET_CHANNEL = 'Nothing was changed: whoever runs me does not want me to write first in this channel.';
const CLOSED_CHANNEL =
  'Nothing was changed: I cannot write in this channel. Whoever runs this server can give me View Channel and Send Messages here (Send Messages in Threads, in a thread). Or choose `outreach: on`, for your direct messages.';
const READ_ONLY_CHANNEL =
  'Nothing was changed: you cannot write in this channel, so I do not write to you here. Choose `outreach: on`, for your direct messages, or `outreach: here` where you may write.';

/** Shows and changes whether and when the companion may write first. */
export const settings: Command = {
  name: 'settings',
  description: 'Whether and when it may write to you first',
  options: [
    textOption('outreach', 'May it write to you first?', {
      choices: [
        { name: 'on, in my direct messages', value: 'on' },
        { name: 'here, in this channel', value: 'here' },
        { name: 'off', value: 'off' },
      ],
    }),
    textOption('timezone', 'Your city, zone or offset, such as Berlin or UTC+2', { max_length: 64 }),
    textOption('quiet-from', 'Quiet hours begin, such as 22:00', { max_length: 5 }),
    textOption('quiet-until', 'Quiet hours end, such as 08:00; the time they begin for none', {
      max_length: 5,
    }),
    countOption('daily-cap', 'Most messages a day it may start', 0, MAX_DAILY_CAP),
    countOption('weekly-cap', 'Most messages it may start in any seven days', 0, MAX_WEEKLY_CAP),
    textOption('topics-off', 'What it does not bring up by itself, with commas between; none ends it', {
      max_length: 500,
    }),
  ],
  run: async ({ messenger, personId }, { client, options, channelId, guildId, memberPermissions }) => {
    const valueOf = (option: string) => options.get(option)?.value;
    const read = readSettingsChange(valueOf, guildId === null ? null : channelId);
    if (read.problem !== undefined) return { content: read.problem };
    const isHere = valueOf('outreach') === 'here' && guildId !== null;
    if (isHere && reachIn(client, channelId)?.canSend !== true) return { content: CLOSED_CHANNEL };
    const place = client.channels.cache.get(channelId);
    const isThread = place?.isThread() === true;
    if (isHere && memberPermissions?.has(writingIn(isThread)) !== true) return { content: READ_ONLY_CHANNEL };
    if (isHere && isThread && (await quietChannels(messenger)).has(place.parentId ?? ''))
      return { content: QUIET_CHANNEL };
    if (read.change === null) {
      const { settings } = await messenger.ask(outreachContract.settings, { personId });
      return { content: describeSettings(settings, false) };
    }
    const changed = await messenger
      .ask(outreachContract.change, { personId, change: read.change })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'forbidden') return null;
        throw error;
      });
    return { content: changed === null ? QUIET_CHANNEL : describeSettings(changed, true) };
  },
};
