import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { PersonId, Uuid } from '../values/words.js';
import { ApiScope } from './api-scope.js';
import { Page } from './page.js';
import { del, get, post, type Routes } from './route.js';

export const KeyRequest = z.strictObject({
  name: z.string().trim().min(1).max(60).describe('shown in lists, so that a key can be told from the next'),
  personId: PersonId.optional().describe(
    'owner of the key: this person, or a new one of the name `person`; exactly one of the two',
  ),
  person: z.string().trim().min(1).max(100).optional(),
  /** Each is kept once. */
  scopes: z
    .array(ApiScope)
    .min(1)
    .max(ApiScope.options.length)
    .transform((scopes) => [...new Set(scopes)])
    .default(['chat', 'memories', 'outreach']),
  expiresAt: IsoTime.optional(),
  reason: z
    .string()
    .trim()
    .min(3)
    .max(200)
    .optional()
    .describe('reason for a key that acts as somebody else, who is told. Needed for anybody but oneself'),
});
export const KeyCreated = z.object({
  id: Uuid,
  key: z.string().describe('shown this once; only its hash is kept'),
  personId: PersonId,
  scopes: z.array(ApiScope),
});

/** An API key as lists show it: everything but the key. */
export const KeyView = z.object({
  id: Uuid,
  name: z.string(),
  personId: PersonId,
  displayName: z.string(),
  scopes: z.array(ApiScope),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  revokedAt: IsoTime.nullable(),
  /** Last use of it, or of a browser's session that was made from it. */
  lastUsedAt: IsoTime.nullable(),
  /** The operator who made it for somebody else, and why; null: it is its person's own. */
  madeBy: PersonId.nullable(),
  reason: z.string().nullable(),
});
export const KeyList = z.object({ keys: z.array(KeyView), nextCursor: z.string().nullable() });

export const MyKeyView = KeyView.omit({ personId: true, displayName: true, madeBy: true }).extend({
  madeBy: z.enum(['you', 'operator']),
  isThisOne: z.boolean(),
});
/** Keys that act as the caller: those in force, then ended ones that an operator made for somebody else to act as them. */
export const MyKeyList = z.object({ keys: z.array(MyKeyView) });
export type MyKeyList = z.infer<typeof MyKeyList>;

const OneKey = z.strictObject({ id: Uuid });

export const keyRoutes = {
  list: get('/v1/keys', 'admin', {
    summary: 'Every API key, without the key itself',
    query: Page.extend({ person: PersonId.optional().describe('whose') }),
    answer: KeyList,
  }),
  create: post('/v1/keys', 'admin', {
    summary:
      'Make an API key; it is shown this once. For somebody else it needs a reason, they are told, and it makes no others',
    body: KeyRequest,
    answer: KeyCreated,
    status: 201,
    errors: ['not_found'],
  }),
  revoke: del('/v1/keys/{id}', 'admin', { summary: 'End an API key', params: OneKey, errors: ['conflict'] }),
  mine: get('/v1/me/keys', 'memories', {
    summary: 'Keys that act as you, which of them an operator made, and why',
    answer: MyKeyList,
  }),
  revokeMine: del('/v1/me/keys/{id}', 'memories', {
    summary: 'End a key that acts as you',
    params: OneKey,
    errors: ['conflict'],
  }),
} satisfies Routes;
