import { MAX_PICTURES, SentPicture } from '@kith/contracts';
import type { Reader } from '@kith/database';
import type { ClaimedMessage } from './claim.js';

/** Reads the newest pictures of a burst, as many as a model is shown, oldest first. Leaves out unreadable ones. */
export async function newestPictures(
  tx: Reader,
  burst: readonly Pick<ClaimedMessage, 'id'>[],
): Promise<SentPicture[]> {
  const rows = await tx.$queryRaw<{ picture: unknown }[]>`
    SELECT picture FROM inbox
      CROSS JOIN LATERAL jsonb_path_query(pictures, '$[*]') WITH ORDINALITY AS sent(picture, place)
    WHERE id = ANY(${burst.map(({ id }) => id)}) AND pictures IS NOT NULL
    ORDER BY id DESC, place DESC LIMIT ${MAX_PICTURES}`;
  return rows.toReversed().flatMap(({ picture }) => SentPicture.safeParse(picture).data ?? []);
}
