import type { Command } from '@commander-js/extra-typings';
import {
  OutreachChannelChange,
  OutreachRestrictionChange,
  outreachRoutes,
  type OutreachSettings,
} from '@kith/contracts';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import { addJsonCommand } from '../input/add-command.js';
import { positive } from '../input/options.js';
import { readTime } from '../input/read-time.js';
import type { CommandContext } from '../suite/command-context.js';
import { printList, readList } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';
import { planChange } from './plan-change.js';

/** Adds the commands for when companions write first. */
export function addOutreachCommands(program: Command, { api, terminal }: CommandContext): void {
  const outreach = addJsonCommand(
    program,
    'outreach',
    'show and change when a companion may write to you first',
  )
    .option('--on', 'it may')
    .option('--off', 'it may not, and drops what it had in mind, reminders too')
    .option('--direct', 'in your direct messages too')
    .option('--no-direct', 'not in your direct messages')
    .option('--no-channel', 'not in a channel any more')
    .option('--zone <zone>', 'your city, zone or offset, such as Berlin or UTC+2')
    .option('--quiet-from <time>', 'start of the quiet hours, such as 22:00')
    .option('--quiet-until <time>', 'their end; the same time as their start means none')
    .option('--cap <n>', 'most messages a day', Number)
    .option('--weekly-cap <n>', 'most messages in any seven days', Number)
    .option('--topics-off <words>', 'topics it does not bring up, with commas between; empty for none')
    .action(async (options) => {
      const change = planChange(options);
      if (change) {
        const settings = await api.call(outreachRoutes.change, { body: change });
        return options.json ? terminal.json(settings) : terminal.line(settingsLine(settings));
      }
      const view = await api.call(outreachRoutes.show);
      if (options.json) return terminal.json(view);
      const { settings, outlook, intentions, recent } = view;
      terminal.line(settingsLine(settings));
      const until = outlook.until === null ? '' : ` Not before ${minuteOf(outlook.until)} UTC.`;
      if (settings.optedIn) terminal.line(`${outlook.words}${until}`);
      const open = intentions.filter(({ status }) => status === 'open');
      if (open.length > 0)
        terminal.table(open, [
          { header: 'due (UTC)', value: ({ dueAt }) => minuteOf(dueAt) },
          { header: 'who', value: ({ companionId }) => companionId },
          { header: 'about', value: ({ about }) => about, flexible: true },
        ]);
      if (recent.length > 0)
        terminal.table(recent, [
          { header: 'decided (UTC)', value: ({ decidedAt }) => minuteOf(decidedAt) },
          { header: 'who', value: ({ companionId }) => companionId },
          { header: 'status', value: ({ status }) => status },
          { header: 'why', value: ({ because }) => because, flexible: true },
        ]);
    });
  addJsonCommand(outreach, 'why', 'list what companions wrote first, and why')
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .action(async (_, command) => {
      const { limit, json } = command.optsWithGlobals();
      const view = await readList('attempts', limit, (query) => api.call(outreachRoutes.attempts, { query }));
      printList(terminal, 'attempts', view, { json, none: 'no companion has written to you first' }, [
        { header: 'decided (UTC)', value: ({ decidedAt }) => minuteOf(decidedAt) },
        { header: 'who', value: ({ companionId }) => companionId },
        { header: 'kind', value: ({ kind }) => kind },
        { header: 'where', value: ({ channelId }) => channelId ?? 'direct' },
        { header: 'status', value: ({ status, problem }) => (problem ? `${status}: ${problem}` : status) },
        { header: 'why', value: ({ because }) => because, flexible: true },
        { header: 'from', value: ({ sources }) => sources.join(' '), flexible: true },
      ]);
    });
  addJsonCommand(
    outreach,
    'channel [id] [mode]',
    'allow or forbid writing first in a channel (on, off); needs a key with the scope admin',
  ).action(async (id, mode, _, command) => {
    const { json } = command.optsWithGlobals();
    if (id === undefined) {
      const list = await api.call(outreachRoutes.channels);
      if (json) return terminal.json(list);
      if (list.channels.length === 0) return terminal.note('no channel has a setting of its own');
      return terminal.table(list.channels, [
        { header: 'channel', value: (channel) => channel.channelId },
        { header: 'mode', value: (channel) => channel.mode },
      ]);
    }
    const body = checkFlags(OutreachChannelChange, { mode }, { mode: 'the mode' });
    const after = await api.call(outreachRoutes.changeChannel, { params: { channel: id }, body });
    if (json) return terminal.json(after);
    terminal.line(`writing first in ${after.channelId}: ${after.mode}`);
  });
  addJsonCommand(
    outreach,
    'restrict <person>',
    'forbid writing first to somebody; needs a key with the scope admin',
  )
    .option('--age <state>', 'unknown, adult or minor: a minor is never written to first')
    .option('--rest-until <time>', 'no outreach before it, such as 2026-12-01; none ends it')
    .action(async (id, _, command) => {
      const { age, restUntil, json } = command.optsWithGlobals();
      if (age === undefined && restUntil === undefined) throw new CliError('say --age or --rest-until', 2);
      const given = { ageState: age, restUntil: readRest(restUntil) };
      const body = checkFlags(OutreachRestrictionChange, given, { ageState: '--age' });
      const after = await api.call(outreachRoutes.restrict, { params: { id }, body });
      if (json) return terminal.json(after);
      const rest = after.restUntil ? `, no outreach before ${after.restUntil}` : '';
      terminal.line(`age: ${after.ageState}${rest}`);
    });
}

function readRest(text: string | undefined): string | null | undefined {
  if (text === 'none') return null;
  return text === undefined ? undefined : readTime('--rest-until', text).toISOString();
}

/** Words one's own outreach settings. */
function settingsLine(settings: OutreachSettings): string {
  if (!settings.optedIn) return 'off: no companion writes to you first (kith outreach --on)';
  const { direct, channel, quietFrom, quietUntil, timeZone, dailyCap, weeklyCap, topicsOff } = settings;
  const topics = topicsOff.length === 0 ? '' : `; not about ${topicsOff.join(', ')}`;
  const places = [...(direct ? ['direct messages'] : []), ...(channel ? [`channel ${channel.id}`] : [])];
  const hours = quietFrom === quietUntil ? 'at any hour' : `never between ${quietFrom} and ${quietUntil}`;
  return `on in ${places.join(' and ')}: at most ${dailyCap} a day and ${weeklyCap} a week, ${hours} (${timeZone})${topics}`;
}
