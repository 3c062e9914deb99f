import { sql } from '@kith/database';
import type { Claim } from './claim.js';

/** Place of a claim and name of its speaker, as `placeColumns` reads them. */
export interface PlaceRow extends Pick<
  Claim,
  'companionId' | 'audience' | 'kind' | 'changeCount' | 'isPrivate'
> {
  displayName: string;
}

/** SQL of a place's columns, on its conversation joined with its speaker. */
export const placeColumns = sql`display_name AS "displayName", companion_id AS "companionId", audience, kind,
  retold AS "changeCount", private_from IS NOT NULL AS "isPrivate"`;
