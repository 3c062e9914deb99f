import {
  counted,
  moodInWords,
  type AttemptView,
  type OutreachSettings,
  type ResponseOutput,
  type ServiceHealth,
  type personalityContract,
} from '@kith/contracts';
import type { ConnectionStatus } from '../../rest/connection-status.js';
import { discordDate, fitLines, shortLine } from '../fitted-text.js';

type Companion = ResponseOutput<typeof personalityContract.companion>;
type MoodAnswer = ResponseOutput<typeof personalityContract.mood>;

/** Describes the companion and its mood in words, beside the card; the mood is null while it is out of reach. */
export function describePersonality(companion: Companion, mood: MoodAnswer | null): string {
  return [
    `**${companion.name}**, ${shortLine(companion.tagline, 150)}`,
    ...(companion.description ? [shortLine(companion.description, 800)] : []),
    mood === null ? 'Its mood is out of reach right now.' : `Now: ${moodInWords(mood.now)}.`,
  ].join('\n');
}

/** Parts of a status; null where a service did not answer. */
export interface StatusParts {
  companion: Companion | null;
  connection: ConnectionStatus;
  services: readonly { name: string; health: ServiceHealth | null }[];
  memories: { memories: number; index: string } | null;
  outreach: OutreachSettings | null;
  /** The chat models, as `host:model`, best first. */
  models: readonly string[] | null;
}

export function describeStatus({ companion, connection, services, memories, outreach, models }: StatusParts) {
  const troubles = services.flatMap(({ name, health }) => {
    if (!health) return [`${name} does not answer`];
    if (health.ready)
      return health.degraded.map(({ effect, since }) => `${effect} (since ${discordDate(since, 'R')})`);
    const down = Object.entries(health.dependencies).filter(([, { up }]) => !up);
    return [`${name} misses ${down.map(([dependency]) => dependency).join(', ')}`];
  });
  return fitLines([
    companion
      ? `**${companion.name}**, ${shortLine(companion.tagline, 150)}`
      : '**The companion** is out of reach.',
    `Discord: ${connection.state}, in ${counted(connection.guilds, 'server')}.`,
    ...(models
      ? [
          `Model: ${models[0] === 'rehearsal' ? 'none, the offline rehearsal answers' : shortLine(models.join(', then '), 200)}.`,
        ]
      : []),
    memories
      ? `Kept about you: ${counted(memories.memories, 'memory', 'memories')} (${memories.index} index).`
      : 'Kept about you: memory is out of reach right now.',
    outreach
      ? `Writing first: ${outreach.optedIn ? `on, at most ${outreach.dailyCap} a day` : 'off'}.`
      : 'Writing first: the settings are out of reach right now.',
    troubles.length === 0 ? `Services: all ${services.length} are well.` : 'Services:',
    // Last: in a large outage there may be more than fit in a message.
    ...troubles.map((trouble) => `- ${trouble}`),
  ]);
}

export function describeSettings(settings: OutreachSettings, changed: boolean): string {
  const { timeZone, quietFrom, quietUntil, dailyCap, weeklyCap, topicsOff } = settings;
  return [
    changed ? 'Saved.' : 'These are your settings.',
    `Writing first: ${whereOf(settings)}`,
    `Time zone: **${timeZone}**`,
    `Quiet hours: ${quietFrom === quietUntil ? '**none**' : `**${quietFrom}** to **${quietUntil}**`}`,
    `Messages it may start: **${dailyCap}** a day, **${weeklyCap}** in any seven days`,
    `Topics it does not bring up: ${topicsOff.length === 0 ? '**none**' : topicsOff.map((topic) => `**${shortLine(topic, 60)}**`).join(', ')}`,
    ...(changed ? [] : ['Give an option to change it, such as `outreach: on`.']),
  ].join('\n');
}

function whereOf({ optedIn, direct, channel }: OutreachSettings): string {
  if (!optedIn) return '**off**';
  const problem = channel?.problem ? ` (${shortLine(channel.problem, 250)})` : '';
  const places = [
    ...(channel ? [`in <#${channel.id}>${problem}: about what you said there, or of its own accord`] : []),
    ...(direct ? ['in your direct messages'] : []),
  ];
  return `**on**, ${places.join('; and ')}`;
}

/** Describes why it wrote first, the newest first. */
export function describeAttempts(attempts: readonly AttemptView[]): string {
  if (attempts.length === 0) return 'It has not written to you first.';
  return fitLines([
    'What it started, the newest first:',
    ...attempts.map(({ because, decidedAt, status, problem, channelId }) => {
      const end = status === 'failed' ? ` (it did not come: ${shortLine(problem ?? 'unknown', 250)})` : '';
      const where = channelId === null ? '' : ` In <#${channelId}>.`;
      return `- ${discordDate(decidedAt, 'R')} ${shortLine(because, 300)}${where}${end}`;
    }),
  ]);
}
