import type { DiscordChannel, DiscordDouble, DiscordUser } from '@kith/testing';
import type { Random } from '../faults/random.ts';
import { hostileMessage, hostileTime, hostileWord } from './hostile-values.ts';

/** Every intent that the bot could have. */
const ALL_INTENTS = 0;
const GUILD_TEXT = 0;
/** Events the bot ignores and its library reads all the same; the last is a name that every object has. */
const OTHER_EVENTS = ['TYPING_START', 'CHANNEL_PINS_UPDATE', 'PRESENCE_UPDATE', 'GUILD_UPDATE', '__proto__'];

/** Events people can have Discord send the bot: words, names, files and commands of their own making. */
export class HostileDiscord {
  private readonly discord: DiscordDouble;
  private readonly people: DiscordUser[];
  private readonly channel: DiscordChannel;

  constructor(discord: DiscordDouble) {
    this.discord = discord;
    this.people = ['ann', 'ben', 'cat', 'dan'].map((name) => discord.user(name));
    this.channel = discord.channel(discord.guild('Fuzz'), 'general');
  }

  /** A message that the bot is to answer. */
  say(random: Random): void {
    const user = random.pick(this.people);
    const text = hostileMessage(random);
    if (random.chance(0.5)) this.discord.dm(user, text);
    else
      this.discord.say(user, `<@${this.discord.bot.id}> ${text}`, this.channel, {
        mentions: [this.discord.bot],
      });
  }

  /** Something else that happens. */
  happen(random: Random): void {
    const user = random.pick(this.people);
    const place = random.chance(0.5) ? this.channel : this.discord.dmChannel(user);
    random.pick([
      () => this.odd(user, place, random),
      () => this.odd(user, place, random),
      () => this.command(user, place, random),
      () => this.command(user, place, random),
      () => this.interaction(user, place, random),
      () => this.changed(user, place, random),
      () =>
        this.discord.gateway.dispatch(
          random.chance(0.5) ? random.pick(OTHER_EVENTS) : hostileWord(random) || 'X',
          { a: hostileWord(random) },
          ALL_INTENTS,
        ),
    ])();
  }

  /** A message with everything around its words made odd. */
  private odd(user: DiscordUser, place: DiscordChannel, random: Random): void {
    const message = this.discord.world.addMessage(place, user, { content: hostileMessage(random) });
    const isGuild = place.type === GUILD_TEXT;
    const odd: Record<string, unknown> = {
      ...message,
      author: { ...message.author, username: hostileWord(random), global_name: hostileWord(random) },
      mentions: [
        this.discord.bot,
        { ...user, username: hostileWord(random), member: { nick: hostileWord(random) } },
      ],
      timestamp: random.chance(0.4) ? hostileTime(random) : message.timestamp,
      type: random.pick([0, 0, 0, 19, 20, 7, 46, 999]),
      flags: random.pick([0, 2 ** 13, 2 ** 31]),
      attachments: random.chance(0.5)
        ? [
            {
              id: '1',
              filename: hostileWord(random),
              size: 1e15,
              content_type: hostileWord(random),
              url: 'x:',
            },
          ]
        : [],
      embeds: random.chance(0.3) ? [{ title: hostileWord(random), description: hostileMessage(random) }] : [],
      sticker_items: random.chance(0.2) ? [{ id: '1', name: hostileWord(random), format_type: 9 }] : [],
      poll: random.chance(0.2) ? { question: { text: hostileWord(random) }, answers: [] } : undefined,
      referenced_message: random.pick([undefined, null, { ...message, author: this.discord.bot }]),
      channel_type: place.type,
      ...(isGuild
        ? { member: { nick: hostileWord(random), roles: [], joined_at: hostileTime(random) } }
        : {}),
    };
    this.discord.gateway.dispatch('MESSAGE_CREATE', odd, ALL_INTENTS);
  }

  private changed(user: DiscordUser, place: DiscordChannel, random: Random): void {
    const message = this.discord.world.addMessage(place, user, { content: 'before' });
    const where = {
      id: message.id,
      channel_id: place.id,
      ...(place.guild_id ? { guild_id: place.guild_id } : {}),
    };
    random.pick([
      () => this.discord.edit(message, hostileMessage(random)),
      () => this.discord.remove(message),
      () => this.discord.gateway.dispatch('MESSAGE_UPDATE', { ...where, embeds: [] }, ALL_INTENTS),
      () =>
        this.discord.gateway.dispatch(
          'MESSAGE_UPDATE',
          { ...message, content: hostileMessage(random), edited_timestamp: hostileTime(random) },
          ALL_INTENTS,
        ),
      () =>
        this.discord.gateway.dispatch(
          'MESSAGE_DELETE_BULK',
          { ...where, ids: [message.id, '1'] },
          ALL_INTENTS,
        ),
    ])();
  }

  /** A command that is registered, with values of the right kind and no sense. */
  private command(user: DiscordUser, place: DiscordChannel, random: Random): void {
    const command = random.pick(this.discord.commands);
    const subcommands = command.options.filter(({ type }) => type === 1);
    const chosen = subcommands.length > 0 ? random.pick(subcommands) : null;
    const declared = (chosen ? chosen.options : command.options) ?? [];
    const values = Object.fromEntries(
      declared
        .filter(({ required }) => required === true || random.chance(0.5))
        .map(({ name, type, choices }) => [
          name,
          choices?.length ? random.pick(choices).value : valueOf(type, random),
        ]),
    );
    this.discord.slash(user, command.name, chosen?.name ?? null, values, place);
  }

  /** A press of something that nobody showed, a form that nobody opened, a kind of interaction to come. */
  private interaction(user: DiscordUser, place: DiscordChannel, random: Random): void {
    this.discord.gateway.dispatch(
      'INTERACTION_CREATE',
      {
        id: this.discord.world.snowflake(),
        application_id: this.discord.world.applicationId,
        type: random.pick([3, 4, 5, 99]),
        token: hostileWord(random) || 'x',
        version: 1,
        channel_id: place.id,
        channel: { id: place.id, type: place.type },
        locale: hostileWord(random),
        entitlements: [],
        authorizing_integration_owners: {},
        context: 1,
        attachment_size_limit: 1,
        app_permissions: '0',
        user,
        data: {
          custom_id: random.pick(['forget:all', 'memories:', 'page', hostileWord(random)]),
          component_type: random.pick([2, 3, 77]),
          values: [hostileWord(random)],
          name: hostileWord(random),
          options: [{ name: hostileWord(random), type: 3, value: hostileWord(random), focused: true }],
          components: [
            {
              type: 1,
              components: [{ type: 4, custom_id: hostileWord(random), value: hostileMessage(random) }],
            },
          ],
        },
        message: this.discord.world.addMessage(place, this.discord.bot, { content: 'x' }),
      },
      ALL_INTENTS,
    );
  }
}

/** By the kind of a command's option. */
function valueOf(type: number, random: Random): string | number | boolean {
  if (type === 4 || type === 10) return random.pick([0, -1, 2 ** 53, 1e300, 0.5]);
  if (type === 5) return random.chance(0.5);
  return random.chance(0.5) ? hostileWord(random) : hostileMessage(random);
}
