import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { PersonId, Uuid } from '../values/words.js';
import { Page } from './page.js';
import { get, type Routes } from './route.js';

/** Something that an operator did or looked at. */
export const OperatorActionView = z.object({
  id: Uuid,
  at: IsoTime,
  keyId: Uuid,
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
  nextCursor: Uuid.nullable(),
});

export const auditRoutes = {
  list: get('/v1/audit', 'audit', {
    summary: 'Actions of operators: what they did and looked at, the newest first',
    query: Page.extend({
      action: z.string().trim().min(1).max(100).optional().describe('part of its route'),
      person: PersonId.optional().describe('who did it, or whom it was about'),
    }),
    answer: OperatorActionList,
  }),
} satisfies Routes;
