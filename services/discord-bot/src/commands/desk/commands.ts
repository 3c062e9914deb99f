import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import type { Command, CommandGroup } from '../command.js';
import { eraseMe } from '../companion/erase-me.js';
import { settings } from '../companion/settings.js';
import { status } from '../companion/status.js';
import { stop } from '../companion/stop.js';
import { tasks } from '../companion/tasks.js';
import { tools } from '../companion/tools.js';
import { why } from '../companion/why.js';
import { about } from '../memories/about.js';
import { correct, pin, release } from '../memories/change.js';
import { exportAll } from '../memories/export-all.js';
import { forget } from '../memories/forget.js';
import { list } from '../memories/list.js';
import { privacy } from '../memories/privacy.js';
import { search } from '../memories/search.js';
import { personality } from '../companion/personality.js';

/** Every slash command. A new one is a file of its own and a word in this list. */
const ALL: readonly (Command | CommandGroup)[] = [
  {
    name: 'companion',
    description: 'How the companion is, and what it may do',
    commands: [status, stop, eraseMe, why, settings, tools, tasks],
  },
  {
    name: 'memories',
    description: 'What the companion remembers about you',
    commands: [list, about, search, forget, correct, pin, release, privacy, exportAll],
  },
  personality,
];

/** Servers where the bot is installed, and the DM with it. */
const everywhere = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** The slash commands, as they are registered at start. */
export const DEFINITIONS: RESTPostAPIChatInputApplicationCommandsJSONBody[] = ALL.map((entry) => ({
  ...everywhere,
  name: entry.name,
  description: entry.description,
  options:
    'commands' in entry
      ? entry.commands.map(({ name, description, options = [] }) => ({
          type: ApplicationCommandOptionType.Subcommand,
          name,
          description,
          options,
        }))
      : (entry.options ?? []),
}));

const byPath = new Map(
  ALL.flatMap((entry): [string, Command][] =>
    'commands' in entry
      ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command])
      : [[entry.name, entry]],
  ),
);

const buttons = new Map([...byPath.values()].flatMap((command) => Object.entries(command.buttons ?? {})));

/** The command with this name, or null: Discord shows a command that is gone for up to an hour. */
export function commandNamed(name: string, subcommand: string | null): Command | null {
  return byPath.get(subcommand === null ? name : `${name} ${subcommand}`) ?? null;
}

/** Finds the action of a kind of button, or null. */
export function buttonOf(kind: string): NonNullable<Command['buttons']>[string] | null {
  return buttons.get(kind) ?? null;
}
