import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { Door } from './words.js';

/** An account at a door. `subject` is the door's own id for it, such as a Discord user id. */
export const IdentityRef = z.object({
  door: Door,
  subject: z.string().min(1).max(128),
  /** Its name wherever it is, and not what a single place calls it. */
  displayName: z.string().min(1).max(100),
});

/** Discord's id of a server, channel or role, from somebody who may give its name instead. */
export const DiscordId = z
  .string()
  .regex(/^\d{1,20}$/, 'digits such as 123456789012345678: Discord shows it in developer mode, as "Copy ID"');

/** A place at a door. */
export const PlaceRef = z.object({
  door: Door,
  /** The door's own id for it: a channel id, a DM channel id, an API thread. */
  externalId: z.string().min(1).max(128),
  /** Readers: `direct` for the person and the companion alone, `channel` for others too. */
  kind: z.enum(['direct', 'channel']),
});

/** Roles that one member may have: Discord's own limit. */
export const MAX_ROLES = 250;

/** Place on Discord that a reply is sent to. */
export const DiscordTarget = z.object({
  /** Channel to write in; absent for outreach, which opens the DM with `userId` first. */
  channelId: z.string().optional(),
  userId: z.string(),
  replyToMessageId: z.string().optional(),
  /** A permission is missing to refer to the message: the reply names the person instead. */
  withoutReference: z.literal(true).optional(),
  /** Nothing can be written in the channel at all. */
  unwritable: z.literal(true).optional(),
  /** Begin with a mention of `userId`, which pings them. */
  mention: z.boolean().optional(),
  /** Server of the channel, and the person's roles there; absent where Discord did not tell them. */
  serverId: z.string().optional(),
  /** Channel to which the thread `channelId` belongs; absent where that is no thread. */
  threadOf: z.string().optional(),
  roles: z.array(z.string()).max(MAX_ROLES).optional(),
});
export type DiscordTarget = z.infer<typeof DiscordTarget>;

/** Places in one order; a group with more of them takes several orders. */
export const MAX_PLACES = 10_000;

/** Places at a door that the app joined or left together. */
export const PlacesWithin = z.object({
  door: Door,
  /** Group they belong to, such as a Discord server. */
  within: z.string().min(1).max(128),
  places: z.array(z.string().min(1).max(128)).max(MAX_PLACES),
  at: IsoTime,
});
export type PlacesWithin = z.infer<typeof PlacesWithin>;
