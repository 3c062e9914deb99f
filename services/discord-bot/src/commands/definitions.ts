import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

const { Subcommand, String: Text, Integer, Boolean: Flag } = ApplicationCommandOptionType;

/** Servers where the bot is installed, and the DM with it. */
const everywhere = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

const MEMORY_ID = {
  type: Text,
  name: 'id',
  description: 'As list and search show it',
  required: true,
  max_length: 36,
} as const;

/** The slash commands, as they are registered at start. */
export const COMMANDS: RESTPostAPIChatInputApplicationCommandsJSONBody[] = [
  {
    ...everywhere,
    name: 'companion',
    description: 'How the companion is, and what it may do',
    options: [
      { type: Subcommand, name: 'status', description: 'Is everything running, and what is kept about you?' },
      { type: Subcommand, name: 'stop', description: 'Never mind: no answer to what you said here' },
      {
        type: Subcommand,
        name: 'erase-me',
        description: 'Erase all that is kept of you, everywhere; you confirm before anything goes',
      },
      { type: Subcommand, name: 'why', description: 'Why did you write? The last messages it started' },
      {
        type: Subcommand,
        name: 'settings',
        description: 'Whether and when it may write to you first',
        options: [
          {
            type: Text,
            name: 'outreach',
            description: 'May it write to you first?',
            choices: [
              { name: 'on, in my direct messages', value: 'on' },
              { name: 'here, in this channel', value: 'here' },
              { name: 'off', value: 'off' },
            ],
          },
          {
            type: Text,
            name: 'timezone',
            description: 'Your city, zone or offset, such as Berlin or UTC+2',
            max_length: 64,
          },
          { type: Text, name: 'quiet-from', description: 'Quiet hours begin, such as 22:00', max_length: 5 },
          { type: Text, name: 'quiet-until', description: 'Quiet hours end, such as 08:00', max_length: 5 },
          {
            type: Integer,
            name: 'daily-cap',
            description: 'Most messages a day it may start',
            min_value: 0,
            max_value: 10,
          },
          {
            type: Integer,
            name: 'weekly-cap',
            description: 'Most messages it may start in any seven days',
            min_value: 0,
            max_value: 50,
          },
          {
            type: Text,
            name: 'topics-off',
            description: 'What it does not bring up by itself, with commas between; none ends it',
            max_length: 500,
          },
        ],
      },
    ],
  },
  {
    ...everywhere,
    name: 'memories',
    description: 'What the companion remembers about you',
    options: [
      {
        type: Subcommand,
        name: 'list',
        description: 'What is kept about you, the newest first',
        options: [{ type: Integer, name: 'page', description: 'Which page', min_value: 1 }],
      },
      { type: Subcommand, name: 'about', description: 'What it knows of you, as a page' },
      {
        type: Subcommand,
        name: 'search',
        description: 'What comes to its mind',
        options: [
          { type: Text, name: 'query', description: 'What to look for', required: true, max_length: 500 },
        ],
      },
      {
        type: Subcommand,
        name: 'forget',
        description: 'Forget some memories or all of them; you confirm before anything goes',
        options: [
          { type: Text, name: 'query', description: 'Forget what is found for this', max_length: 500 },
          { type: Flag, name: 'all', description: 'Forget everything about you' },
        ],
      },
      {
        type: Subcommand,
        name: 'correct',
        description: 'Put one of them right',
        options: [
          MEMORY_ID,
          { type: Text, name: 'text', description: 'What it should say', required: true, max_length: 2000 },
        ],
      },
      {
        type: Subcommand,
        name: 'pin',
        description: 'Keep one in mind: it comes up sooner and never goes to the archive',
        options: [MEMORY_ID, { type: Flag, name: 'off', description: 'Unpin it' }],
      },
      {
        type: Subcommand,
        name: 'release',
        description: 'Keep one that went to quarantine or to the archive',
        options: [MEMORY_ID],
      },
      {
        type: Subcommand,
        name: 'private',
        description: 'Talk without being remembered',
        options: [{ type: Flag, name: 'on', description: 'From now on, or no longer', required: true }],
      },
      { type: Subcommand, name: 'export', description: 'Everything that is kept about you, as a file' },
    ],
  },
  {
    ...everywhere,
    name: 'personality',
    description: 'Who the companion is, how it feels, what moved it, and what is between you',
  },
];
