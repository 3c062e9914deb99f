import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { ErasureView, PersonHoldings } from '../rpc/erasure.js';
import { PersonId } from '../values/words.js';
import { ApiScope } from './api-scope.js';
import { Page, TimePage } from './page.js';
import { del, get, type Routes } from './route.js';

export const PersonView = z.object({
  personId: PersonId,
  displayName: z.string(),
  createdAt: IsoTime,
  identities: z.array(z.object({ door: z.string(), subject: z.string() })),
});
export const MeView = PersonView.omit({ createdAt: true }).extend({ scopes: z.array(ApiScope) });
export const PersonList = z.object({ people: z.array(PersonView), nextCursor: z.string().nullable() });
export const ErasureList = z.object({ erasures: z.array(ErasureView), nextCursor: z.string().nullable() });

/** Routes of the caller's own person. */
export const meRoutes = {
  show: get('/v1/me', 'any-key', { summary: 'Your person, and what your key may', answer: MeView }),
  holdings: get('/v1/me/holdings', 'memories', {
    summary: 'Counts of what is kept of you, by service and store',
    answer: PersonHoldings,
  }),
  erase: del('/v1/me', 'memories', {
    summary: 'Erase you everywhere, your keys too, for good; the answer is the receipt',
    // Named once more, so that nobody erases themselves by a slip.
    query: z.strictObject({ confirm: PersonId.describe('your own person id') }),
    answer: ErasureView,
  }),
} satisfies Routes;

const OnePerson = z.strictObject({ id: PersonId });

export const peopleRoutes = {
  list: get('/v1/people', 'admin', {
    summary: 'Everyone who is known here',
    query: Page,
    answer: PersonList,
  }),
  holdings: get('/v1/people/{id}/holdings', 'admin', {
    summary: 'Counts of what is kept of somebody, by service and store',
    params: OnePerson,
    answer: PersonHoldings,
  }),
  erase: del('/v1/people/{id}', 'admin', {
    summary: 'Erase somebody everywhere, for good; the same again says how far it is',
    params: OnePerson,
    answer: ErasureView,
  }),
  erasures: get('/v1/erasures', 'admin', {
    summary: 'Receipts of erasures, the newest first',
    query: TimePage,
    answer: ErasureList,
  }),
  erasure: get('/v1/erasures/{id}', 'admin', {
    summary: 'The receipt of one, by what was the person’s id',
    params: OnePerson,
    answer: ErasureView,
  }),
} satisfies Routes;
