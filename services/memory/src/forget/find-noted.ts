import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import type { Database } from '@kith/database';

/**
 * Finds which of these messages something that is known of people was derived from. Includes sealed rows, because an
 * undo could restore them.
 */
export async function findNoted(
  database: Database,
  { personIds, messageIds }: MemoryRequest<'findNoted'>,
): Promise<MemoryAnswer<'findNoted'>> {
  const noted = await database.reader('system').$queryRaw<{ personId: string; messageIds: string[] }[]>`
    WITH known AS (
      SELECT person_id, unnest(sources) AS source FROM memories
        WHERE person_id = ANY (${personIds}::uuid[]) AND (writer = 'companion' OR kind IN ('fact', 'reflection'))
      UNION ALL SELECT person_id, unnest(sources) FROM tasks WHERE person_id = ANY (${personIds}::uuid[])
      UNION ALL SELECT person_id, jsonb_array_elements_text(origin -> 'sources')
        FROM core_blocks CROSS JOIN LATERAL jsonb_array_elements(origins) AS origin
        WHERE person_id = ANY (${personIds}::uuid[])
      UNION ALL SELECT person_id, jsonb_array_elements_text(source -> 'sources')
        FROM memory_sealed_rows CROSS JOIN LATERAL jsonb_array_elements(
          CASE WHEN relation = 'core_blocks' THEN row -> 'origins' ELSE jsonb_build_array(row) END) AS source
        WHERE person_id = ANY (${personIds}::uuid[])
    )
    SELECT person_id::text AS "personId", array_agg(DISTINCT source) AS "messageIds"
    FROM known JOIN unnest(${messageIds}::text[]) AS message (id) ON source = message.id GROUP BY person_id`;
  return { noted };
}
