import { Quote, type Audience, type DiscordTarget, type Door, type SentPicture } from '@kith/contracts';
import { z } from 'zod';
import type { Speaker } from '../conversations/conversations.js';
import type { Talk } from '../conversations/talk.js';
import type { OpenMessage } from './decide-burst.js';

/** Quote as the inbox keeps it for its turn. */
export const KeptQuote = Quote.extend({
  /** Mark of the account that wrote it, and when; absent for the companion's own, and where the door does not tell. */
  author: z.object({ mark: z.string(), saidAt: z.string() }).optional(),
});
export type KeptQuote = z.infer<typeof KeptQuote>;

export interface ClaimedMessage extends OpenMessage {
  door: Door;
  externalId: string;
  target: DiscordTarget | null;
  quote: KeptQuote | null;
  /** Name of its speaker in this place alone; null where they go by their own. */
  nickname: string | null;
  sentAt: Date;
  /** Revision at which it was claimed. A commit is refused if the message was changed since. */
  revision: number;
  /** Times that a newer message interrupted its turn, to be answered along with it. */
  overtaken: number;
  /** Its person deleted it before it was answered. */
  deleted: boolean;
}

/** The right to answer a speaker, and what there is to answer. */
export interface Claim extends Speaker, Talk {
  /** Name of the speaker in this place. */
  personName: string;
  companionId: string;
  audience: Audience;
  kind: 'direct' | 'channel';
  /** Fencing number of the burst's first message: a commit with an older one is refused. */
  leaseToken: number;
  burst: ClaimedMessage[];
  /** The newest pictures of the burst, as many as a model is shown; none where an apology is due. */
  pictures: SentPicture[];
  /** Its tries are used up: it gets an apology instead of another try. */
  poison: boolean;
  claimedAt: Date;
  /** Tools have asked this person something in this conversation: the prompt tells the outcome. */
  wasAsked: boolean;
  /** The person talks in private now: nothing of it will be remembered. */
  isPrivate: boolean;
  /** Counts changes to the conversation. A reply written under an older count is discarded. */
  changeCount: number;
}
