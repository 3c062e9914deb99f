import {
  asJson,
  badForm,
  ok,
  refusal,
  textOf,
  type RestAnswer,
  type RestRequest,
  route,
  openRoute,
  type Route,
} from './answers.js';
import type { DiscordWorld, Json } from './discord-world.js';

export interface CommandOption {
  type: number;
  name: string;
  description: string;
  required?: boolean;
  choices?: { name: string; value: string | number }[];
  options?: CommandOption[];
}

export interface RegisteredCommand {
  id: string;
  name: string;
  description: string;
  type: number;
  guild_id?: string;
  options: CommandOption[];
}

const NAME = /^[-_'\p{Ll}\p{N}]{1,32}$/u;
const MAX_GLOBAL_COMMANDS = 100;

/** The bot itself and its slash commands. */
export class ApplicationRoutes {
  commands: RegisteredCommand[] = [];

  constructor(
    private readonly world: DiscordWorld,
    private readonly gatewayUrl: () => string,
  ) {}

  readonly routes: Route[] = [
    openRoute('GET', /^\/gateway$/, () => ok({ url: this.gatewayUrl() })),
    route('GET', /^\/gateway\/bot$/, () =>
      ok({
        url: this.gatewayUrl(),
        shards: 1,
        session_start_limit: { total: 1000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 },
      }),
    ),
    route('GET', /^\/users\/@me$/, () => ok(this.world.bot)),
    route('GET', /^\/users\/(\d+)$/, (_request, id = '') => {
      const user = this.world.userById(id);
      return user ? ok(user) : refusal(404, 10013, 'Unknown User');
    }),
    route('GET', /^\/(?:applications|oauth2\/applications)\/@me$/, () =>
      ok({ id: this.world.applicationId, name: this.world.bot.username, flags: 0, bot: this.world.bot }),
    ),
    route('GET', /^\/applications\/\d+(?:\/guilds\/(\d+))?\/commands$/, (_request, guild) =>
      ok(this.commands.filter((command) => command.guild_id === guild)),
    ),
    route('PUT', /^\/applications\/\d+(?:\/guilds\/(\d+))?\/commands$/, (request, guild) =>
      this.register(request, guild),
    ),
  ];

  private register(request: RestRequest, guild: string | undefined): RestAnswer {
    if (!Array.isArray(request.body))
      return badForm('commands', 'LIST_TYPE_CONVERT', 'Only iterables may be used.');
    if (request.body.length > MAX_GLOBAL_COMMANDS)
      return refusal(400, 30032, 'Maximum number of application commands reached (100).');
    const wanted = request.body.map((body: unknown) => asJson(body));
    const wrong = wanted.map((command) => wrongCommand(command)).find((reason) => reason !== undefined);
    if (wrong !== undefined) return badForm('commands', 'APPLICATION_COMMAND_INVALID', wrong);
    const registered = wanted.map((command) => this.asRegistered(command, guild));
    this.commands = [...this.commands.filter((command) => command.guild_id !== guild), ...registered];
    return ok(registered);
  }

  private asRegistered(command: Json, guild: string | undefined): RegisteredCommand {
    return {
      version: '1',
      application_id: this.world.applicationId,
      default_member_permissions: null,
      ...command,
      id: this.world.snowflake(),
      name: textOf(command['name']),
      description: textOf(command['description']),
      type: Number(command['type'] ?? 1),
      options: (command['options'] ?? []) as CommandOption[],
      ...(guild === undefined ? {} : { guild_id: guild }),
    } as RegisteredCommand;
  }
}

/** Finds what Discord would refuse in a command or one of its options; undefined when it is fine. */
function wrongCommand(command: Json): string | undefined {
  const name = textOf(command['name']);
  const description = textOf(command['description']);
  if (!NAME.test(name)) return `"${name}" is not a command or option name`;
  if (description.length < 1 || description.length > 100) return `${name}: description must be 1 to 100 long`;
  const options = (command['options'] ?? []) as Json[];
  if (options.length > 25) return `${name}: at most 25 options`;
  if (((command['choices'] ?? []) as Json[]).length > 25) return `${name}: at most 25 choices`;
  return options.map((option) => wrongCommand(option)).find((reason) => reason !== undefined);
}
