import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';

/** Schemas of the suite's own words, used by every contract. See docs/glossary.md. */

/** Makes an id, read in lower case: in capitals it is the same to Postgres, and another to whatever compares texts. */
const anyId = () => z.uuid().toLowerCase();

export const Uuid = anyId();
export const PersonId = anyId();

/** A companion's short name in paths, settings and commands. */
export const CompanionId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a companion id is lower-case letters, digits and dashes');

export const ConversationId = anyId();
export const TurnId = anyId();
export const MemoryId = anyId();

/** Ways in which people talk with a companion. */
export const Door = z.enum(['discord', 'http', 'websocket', 'cli', 'console']);
export type Door = z.infer<typeof Door>;

/**
 * Readers of a message: `direct` (only the person), or `channel:<door>:<id>`.
 * Stored on each memory; see `canHear`.
 */
export const Audience = z
  .string()
  .regex(/^(direct|channel:[a-z]+:[A-Za-z0-9_-]{1,64})$/, 'direct, or channel:<door>:<id>');
export type Audience = z.infer<typeof Audience>;

/** The audience of a channel. */
export function channelAudience(door: Door, channelId: string): Audience {
  return `channel:${door}:${channelId}`;
}

/**
 * Tells whether something said before `origin` may be repeated before `listener`. What was said in a DM stays there;
 * what was said in a channel may follow the person into their DM, and stays in that channel otherwise.
 * Both are audiences of one and the same person's words.
 */
export function canHear(listener: Audience, origin: Audience): boolean {
  return listener === 'direct' || listener === origin;
}

/** A companion's day: its date where the companion lives, and the time that counts to it. Days meet without a gap. */
export const CompanionDay = z.object({ companionId: CompanionId, day: IsoDay, from: IsoTime, to: IsoTime });
export type CompanionDay = z.infer<typeof CompanionDay>;

/** Key of a tool's call: the same call again changes nothing. */
export const CallKey = z.string().min(1).max(120);

/** Origin of a turn: a message, a reason to write first, or the quiet in which a companion thinks. */
export const TurnOrigin = z.enum(['message', 'outreach', 'heartbeat']);
export type TurnOrigin = z.infer<typeof TurnOrigin>;

/** Pleasure, arousal, dominance, each in [-1, 1]. */
export const Pad = z.object({ p: z.number(), a: z.number(), d: z.number() });
export type Pad = z.infer<typeof Pad>;

/** A mood as the outside sees it. */
export const MoodView = z.object({
  pad: Pad,
  /**
   * The octant's word, such as `relaxed`; `balanced` near the middle of all; without tension between the two, `sombre` for
   * `disdainful` and `tense` for `hostile`.
   */
  label: z.string(),
  /** `slightly`, `moderately` or `fully`; of a balanced one `evenly`. */
  strength: z.string(),
});
export type MoodView = z.infer<typeof MoodView>;

/**
 * Words a mood: "slightly relaxed". Mehrabian's "bored" is also the octant of pity and distress, and nobody who told of a
 * loss is to read that it bored the companion.
 */
export function moodInWords({ strength, label }: Pick<MoodView, 'strength' | 'label'>): string {
  return `${strength} ${label === 'bored' ? 'subdued' : label}`;
}

/** Vector that `embed` yields for a text and `recall` searches by: little-endian float32, base64. */
export const EncodedVector = z.string();

/** Packs a vector for the wire: a quarter of its size as JSON numbers. */
export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** Unpacks what `encodeVector` packed. */
export function decodeVector(encoded: string): Float32Array {
  const bytes = Buffer.from(encoded, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
