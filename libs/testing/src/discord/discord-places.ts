import { INTENTS, type DiscordGateway } from './discord-gateway.js';
import { PERMISSIONS, type Permission } from './permissions.js';
import { channelShape, guildShape } from './shapes.js';
import type { DiscordChannel, DiscordGuild, DiscordUser, DiscordWorld } from './discord-world.js';

/** People, servers and channels, and what becomes of them. */
export abstract class DiscordPlaces {
  abstract readonly world: DiscordWorld;
  abstract readonly gateway: DiscordGateway;

  user(name: string): DiscordUser {
    const user = this.world.newUser(name);
    this.world.users.set(user.id, user);
    return user;
  }

  guild(name: string): DiscordGuild {
    const guild = { id: this.world.snowflake(), name, botRoleId: this.world.snowflake() };
    this.addBot(guild);
    return guild;
  }

  /** Somebody removes the bot from a server. */
  removeBot(guild: DiscordGuild): void {
    this.world.guilds.delete(guild.id);
    this.gateway.dispatch('GUILD_DELETE', { id: guild.id }, INTENTS.guilds);
  }

  /** A server that is back, as it was. */
  addBot(guild: DiscordGuild): void {
    this.world.guilds.set(guild.id, guild);
    this.world.outages.delete(guild.id);
    this.gateway.dispatch('GUILD_CREATE', guildShape(this.world, guild), INTENTS.guilds);
  }

  /** A server is out of reach until it is added: nobody was removed from it. */
  outage(guild: DiscordGuild): void {
    this.world.outages.add(guild.id);
    this.gateway.dispatch('GUILD_DELETE', { id: guild.id, unavailable: true }, INTENTS.guilds);
  }

  channel(guild: DiscordGuild, name: string): DiscordChannel {
    const channel: DiscordChannel = { id: this.world.snowflake(), type: 0, name, guild_id: guild.id };
    this.world.channels.set(channel.id, channel);
    this.gateway.dispatch('CHANNEL_CREATE', channelShape(this.world, channel), INTENTS.guilds);
    return channel;
  }

  /** A public thread of a channel. */
  thread(parent: DiscordChannel, name: string): DiscordChannel {
    const thread: DiscordChannel = {
      id: this.world.snowflake(),
      type: 11,
      name,
      parent_id: parent.id,
      ...(parent.guild_id === undefined ? {} : { guild_id: parent.guild_id }),
    };
    this.world.channels.set(thread.id, thread);
    const created = { ...channelShape(this.world, thread), newly_created: true };
    this.gateway.dispatch('THREAD_CREATE', created, INTENTS.guilds);
    return thread;
  }

  /** Nobody wrote in a thread for a while. */
  archive(thread: DiscordChannel): void {
    thread.archived = true;
    this.gateway.dispatch('THREAD_UPDATE', channelShape(this.world, thread), INTENTS.guilds);
  }

  /** The bot may not do this in a channel (any more); without permissions, it may do everything again. */
  deny(channel: DiscordChannel, ...permissions: Permission[]): void {
    const bits = permissions.reduce((all, permission) => all | PERMISSIONS[permission], 0n);
    if (bits === 0n) this.world.denied.delete(channel.id);
    else this.world.denied.set(channel.id, bits);
    this.gateway.dispatch('CHANNEL_UPDATE', channelShape(this.world, channel), INTENTS.guilds);
  }

  /** Somebody deletes a channel or a thread. Of a channel's threads, and of its messages, Discord says nothing. */
  deleteChannel(channel: DiscordChannel): void {
    const { id, guild_id, parent_id, type } = channel;
    const shape = channelShape(this.world, channel);
    for (const { id: goes, parent_id: of } of Array.from(this.world.channels.values()))
      if (goes === id || of === id) this.dropChannel(goes);
    if (type === 11)
      this.gateway.dispatch('THREAD_DELETE', { id, guild_id, parent_id, type }, INTENTS.guilds);
    else this.gateway.dispatch('CHANNEL_DELETE', shape, INTENTS.guilds);
  }

  private dropChannel(channelId: string): void {
    this.world.channels.delete(channelId);
    for (const { id, channel_id: where } of Array.from(this.world.messages.values()))
      if (where === channelId) this.world.messages.delete(id);
  }

  /** AutoMod blocks messages with these words in a server. */
  blockWords(guild: DiscordGuild, words: readonly string[]): void {
    this.world.blockedWords.set(
      guild.id,
      words.map((word) => word.toLowerCase()),
    );
  }

  dmChannel(user: DiscordUser): DiscordChannel {
    return this.world.dmChannel(user);
  }

  /** Somebody leaves a server: a bot without leave to read its members is not told. */
  leave(user: DiscordUser, guild: DiscordGuild): void {
    this.world.leavers.add(`${guild.id} ${user.id}`);
  }

  /** Somebody may only look on in a server for a while. */
  timeOut(user: DiscordUser, guild: DiscordGuild, until: Date): void {
    this.world.timeOuts.set(`${guild.id} ${user.id}`, until);
  }

  /** Somebody may not do this in a channel any more. */
  denyPerson(channel: DiscordChannel, user: DiscordUser, permission: Permission): void {
    const { deniedToPeople } = this.world;
    const before = deniedToPeople.get(channel.id) ?? new Map<string, bigint>();
    const bits = (before.get(user.id) ?? 0n) | PERMISSIONS[permission];
    deniedToPeople.set(channel.id, new Map(before).set(user.id, bits));
    this.gateway.dispatch('CHANNEL_UPDATE', channelShape(this.world, channel), INTENTS.guilds);
  }

  closeDms(user: DiscordUser, closed = true): void {
    if (closed) this.world.closedDms.add(user.id);
    else this.world.closedDms.delete(user.id);
  }
}
