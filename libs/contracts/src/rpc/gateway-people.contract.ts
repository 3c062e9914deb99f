import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineJob, defineRequest } from './define.js';
import { ErasureView, PersonHoldings } from './erasure.js';
import { ForgetResult, ForgetWhat, UndoResult } from './forgetting.js';
import { Privacy } from '../views/memory-view.js';
import { CompanionId, PersonId, Uuid } from '../values/words.js';
import { IdentityRef, PlacesWithin } from '../values/doors.js';

/** Declares a job over places that were joined or left together. */
function placesJob(pattern: string) {
  return defineJob(pattern, {
    payload: PlacesWithin,
    // A group with many places has several orders, so the first place tells them apart.
    idOf: ({ door, within, places, at }) => [door, within, Date.parse(at), ...places.slice(0, 1)].join('-'),
    attempts: 10,
    // Each keeps a connection to the database while it is carried out.
    concurrency: 1,
  });
}

/** Accounts, and what is kept of a person, forgotten and erased. */
export const gatewayPeople = {
  /** Finds the person of an account, and makes one at first sight. */
  person: defineRequest('gateway.person', {
    request: IdentityRef,
    response: z.object({ personId: PersonId }),
  }),
  /** Notice to a person of a key that an operator made to act as them; null where there is nobody to tell. */
  keyNotice: defineRequest('gateway.key-notice', {
    request: z.object({ keyId: Uuid }),
    response: z.object({
      notice: z
        .object({
          discordUserId: z.string(),
          name: z.string(),
          reason: z.string(),
          scopes: z.array(z.string()),
          madeAt: IsoTime,
        })
        .nullable(),
    }),
  }),
  /** Counts the holdings of a person anywhere in the suite. */
  holdings: defineRequest('gateway.holdings', {
    request: z.object({ personId: PersonId }),
    response: PersonHoldings,
    timeoutMs: 10_000,
  }),
  /**
   * A person asks at a door to be erased. From then on nothing is written for them; the rest follows, and the answer
   * waits for it a while.
   */
  eraseMe: defineRequest('gateway.erase-me', {
    request: z.object({ personId: PersonId }),
    response: ErasureView,
    timeoutMs: 15_000,
  }),
  /** Has every service erase what it holds of a person, and keeps the receipt. Goes on where it was broken off. */
  erase: defineJob('gateway.erase', {
    payload: z.object({ personId: PersonId }),
    idOf: ({ personId }) => personId,
    attempts: 10,
    concurrency: 2,
  }),
  /**
   * Forgets what a person names, everywhere: memories, what was made of them, and the talk they came from. It is out of
   * use when this answers, can be undone for ten minutes, and is gone after that.
   * `unavailable` while a service does not answer: the order is noted and goes on by itself.
   */
  forget: defineRequest('gateway.forget', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      what: ForgetWhat,
      /** Only memories go: the talk they came from stays in prompts. */
      keepTalk: z.boolean().default(false),
      /** Only says what would go. */
      preview: z.boolean().default(false),
    }),
    response: ForgetResult,
    timeoutMs: 30_000,
  }),
  /** Takes an order to forget back. `not_found` once its ten minutes are over. */
  undoForget: defineRequest('gateway.undo-forget', {
    request: z.object({ personId: PersonId, receipt: Uuid }),
    response: UndoResult,
    timeoutMs: 30_000,
  }),
  /** Tells whether what this person says is remembered; with `private`, changes it from now on. */
  privacy: defineRequest('gateway.privacy', {
    request: z.object({ personId: PersonId, private: z.boolean().optional() }),
    response: Privacy,
    // Another change may be waited for, and memory asked twice.
    timeoutMs: 10_000,
  }),
  /** Deletes what is kept past the operator's retention settings, and goes on with interrupted erasures. */
  retain: defineJob('gateway.retain', {
    payload: z.object({}),
    idOf: () => 'retain',
    attempts: 3,
    concurrency: 1,
  }),
  /** The app was removed from these places: after a grace period the talk there is forgotten. */
  leavePlaces: placesJob('gateway.leave-places'),
  /** These places were deleted at their door, with all that was said there: it is forgotten at once. */
  deletePlaces: placesJob('gateway.delete-places'),
  /** The app is back in these places: the talk there stays. */
  returnToPlaces: placesJob('gateway.return-to-places'),
};
