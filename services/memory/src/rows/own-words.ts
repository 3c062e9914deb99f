import { sql } from '@kith/database';

/** Selects what the person said themself, for Prisma: of an import, lines under a name may be anybody's. */
export const OWN_WORDS = { OR: [{ writer: 'person' }, { writer: 'import', speaker: null }] };

/** SQL form of `OWN_WORDS`. */
export const ARE_OWN_WORDS = sql`(writer = 'person' OR writer = 'import' AND speaker IS NULL)`;
