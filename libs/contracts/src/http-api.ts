import { z } from 'zod';
import { IsoDay, IsoTime } from './bounded-time.js';
import { ErasureView } from './erasure.js';
import { RecurringJobView } from './jobs.contract.js';
import {
  AttemptView,
  IntentionView,
  OutreachChannelMode,
  OutreachOutlook,
  OutreachRestriction,
  OutreachSettings,
} from './outreach.contract.js';
import {
  AffectEventView,
  CompanionView,
  DayOrTime,
  DiaryEntryView,
  MoodPoint,
  NeedView,
  PersonaJson,
  PersonaVersionNumber,
  PersonaVersionView,
  QuirkView,
  RelationshipView,
} from './personality.contract.js';
import { CompanionId, MoodView, Pad, PersonId } from './words.js';

/**
 * The public HTTP API under `/v1`: what the gateway accepts and answers, what the console and the CLI read,
 * and what the OpenAPI page is made from. Unknown fields are refused. Talk is in `http-chat.ts`, what is remembered
 * in `http-memories.ts`.
 */

/** RFC 9457 problem details, the one error shape. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What was wrong, in a sentence for a person. */
  detail: z.string(),
  code: z.string(),
  /** The fields that were refused, each with its reason. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  correlationId: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

export const CompanionList = z.object({ companions: z.array(CompanionView), defaultCompanion: CompanionId });

export const MoodResponse = z.object({
  companionId: CompanionId,
  now: MoodView,
  baseline: Pad,
  halfLifeMs: z.number(),
  series: z.array(MoodPoint),
  relationship: RelationshipView.nullable(),
});

/** A persona as it was in force once. */
export const PersonaVersion = PersonaVersionView.extend({ companionId: CompanionId, persona: PersonaJson });
export const PersonaHistory = z.object({
  companionId: CompanionId,
  versions: z.array(PersonaVersionView.extend({ inForce: z.boolean() })),
});
export const RollbackRequest = z.strictObject({ version: PersonaVersionNumber });
export const ReplayRequest = z.strictObject({
  from: DayOrTime,
  to: DayOrTime,
  /** As its file would hold it; left out: each turn with the version it was felt with. */
  persona: PersonaJson.optional(),
});

export const AffectEventList = z.object({
  events: z.array(AffectEventView),
  nextCursor: z.string().nullable(),
});
export const NeedList = z.object({ companionId: CompanionId, needs: z.array(NeedView) });
export const QuirkList = z.object({ companionId: CompanionId, quirks: z.array(QuirkView) });
export const Diary = z.object({
  companionId: CompanionId,
  entries: z.array(DiaryEntryView),
  /** Give it as `before` for older days. */
  nextCursor: IsoDay.nullable(),
});

/**
 * What a key may: talk, and see how it stands with a companion; read and forget what is remembered; bring in texts and
 * history; see and settle what companions start; read what operators did; run the suite.
 */
export const ApiScope = z.enum(['chat', 'memories', 'import', 'outreach', 'audit', 'admin']);
export type ApiScope = z.infer<typeof ApiScope>;

export const MeView = z.object({
  personId: PersonId,
  displayName: z.string(),
  scopes: z.array(ApiScope),
  identities: z.array(z.object({ door: z.string(), subject: z.string() })),
});
export const PersonView = z.object({
  personId: PersonId,
  displayName: z.string(),
  createdAt: IsoTime,
  identities: z.array(z.object({ door: z.string(), subject: z.string() })),
});
export const PersonList = z.object({ people: z.array(PersonView), nextCursor: z.string().nullable() });
export const ErasureList = z.object({ erasures: z.array(ErasureView), nextCursor: z.uuid().nullable() });

export const OutreachView = z.object({
  settings: OutreachSettings,
  intentions: z.array(IntentionView),
  recent: z.array(AttemptView),
  outlook: OutreachOutlook,
});
export const OutreachChange = z.strictObject({
  ...OutreachSettings.partial().shape,
  /** A channel is allowed from within it (`/companion settings`), so that nobody is written to where they are not. */
  channel: z.null('only null, to withdraw it: a channel is allowed from within it').optional(),
});
export const OutreachChannelChange = z.strictObject(OutreachChannelMode.pick({ mode: true }).shape);
export const OutreachChannelList = z.object({ channels: z.array(OutreachChannelMode) });
/** What was decided, the newest first: the answer to "why did you write?". */
export const OutreachAttempts = z.object({
  attempts: z.array(AttemptView),
  nextCursor: z.uuid().nullable(),
});
export const JobList = z.object({ jobs: z.array(RecurringJobView) });
export const OutreachRestrictionChange = z.strictObject(OutreachRestriction.partial().shape);

export const KeyRequest = z.strictObject({
  /** Shown in lists, so that a key can be told from the next. */
  name: z.string().trim().min(1).max(60),
  /** Whose key: an existing person's id, or a name for a new person. Exactly one. */
  personId: PersonId.optional(),
  person: z.string().trim().min(1).max(100).optional(),
  scopes: z.array(ApiScope).min(1).default(['chat', 'memories', 'outreach']),
  expiresAt: IsoTime.optional(),
  /** Why somebody else is to have a key that acts as this person: they are told. Needed for anybody but oneself. */
  reason: z.string().trim().min(3).max(200).optional(),
});
export const KeyCreated = z.object({
  id: z.uuid(),
  /** Shown this once; only its hash is kept. */
  key: z.string(),
  personId: PersonId,
  scopes: z.array(ApiScope),
});

/** What signs a browser in, once: the console takes it in its address as `#code=…`. */
export const SignInCode = z.object({ code: z.string(), expiresAt: IsoTime });
export type SignInCode = z.infer<typeof SignInCode>;
export const SignInRequest = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9_-]{32}$/, 'a whole sign-in code has 32 characters'),
});
/** A browser's own key: of less scope than the one it was made from, and ended with it. */
export const SignedIn = KeyCreated.omit({ id: true }).extend({ displayName: z.string(), expiresAt: IsoTime });
export type SignedIn = z.infer<typeof SignedIn>;

/** An API key as lists show it: everything but the key. */
export const KeyView = z.object({
  id: z.uuid(),
  name: z.string(),
  personId: PersonId,
  displayName: z.string(),
  scopes: z.array(ApiScope),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  revokedAt: IsoTime.nullable(),
  lastUsedAt: IsoTime.nullable(),
  /** The operator who made it for somebody else, and why; null: it is its person's own. */
  madeBy: PersonId.nullable(),
  reason: z.string().nullable(),
});
export const KeyList = z.object({ keys: z.array(KeyView), nextCursor: z.string().nullable() });

/** Keys that act as the caller: those in force, and every one that an operator made for somebody else to act as them. */
export const MyKeyList = z.object({
  keys: z.array(
    KeyView.omit({ personId: true, displayName: true, madeBy: true }).extend({
      madeBy: z.enum(['you', 'operator']),
      isThisOne: z.boolean(),
    }),
  ),
});
export type MyKeyList = z.infer<typeof MyKeyList>;

/** Something that an operator did or looked at. */
export const OperatorActionView = z.object({
  id: z.uuid(),
  at: IsoTime,
  keyId: z.uuid(),
  keyName: z.string(),
  operatorId: PersonId,
  /** The route, such as `DELETE /v1/people/{id}`. */
  action: z.string(),
  /** Ids of what it was about, by their names in the path or the query. */
  subjects: z.record(z.string(), z.string()),
  /** `ok`, or an error's code. */
  outcome: z.string(),
});
export const OperatorActionList = z.object({
  actions: z.array(OperatorActionView),
  nextCursor: z.uuid().nullable(),
});

/** How one service says it is: ready, and if not, which dependency is down. */
export const ServiceHealth = z.object({
  service: z.string(),
  ready: z.boolean(),
  dependencies: z.record(
    z.string(),
    z.object({ up: z.boolean(), problem: z.string().nullable(), tookMs: z.number().nullable() }),
  ),
  /** What it does without although it goes on, and what that means for people. */
  degraded: z.array(z.object({ part: z.string(), effect: z.string(), since: IsoTime })).default([]),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

export const SuiteHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  services: z.array(ServiceHealth),
  models: z.object({
    chat: z.array(z.string()),
    fast: z.array(z.string()),
    rehearsal: z.boolean(),
    /** Sentences for the operator, such as a default model that was chosen anew. */
    notes: z.array(z.string()).default([]),
  }),
});
export type SuiteHealth = z.infer<typeof SuiteHealth>;
