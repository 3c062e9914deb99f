import type { CoreBlock, ToldCore } from '@kith/contracts';
import type { Reader } from '@kith/database';
import { isAudible } from '../rows/audience-conditions.js';
import type { MemoryScope } from '../rows/memory-scope.js';

/** Reads the core blocks of an audience that hold something. */
export async function readCore(
  reader: Reader,
  { personId, companionId, audience }: MemoryScope,
): Promise<CoreBlock[]> {
  const rows = await reader.$queryRaw<(Omit<CoreBlock, 'updatedAt'> & { updatedAt: Date })[]>`
    SELECT label, text, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM core_blocks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience} AND text <> ''
    ORDER BY label`;
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}

/**
 * Reads core memory as a prompt carries it: under `human` also the name that the person gave themself, as this audience heard
 * it. In one statement, since every turn waits for it.
 */
export async function readCoreForPrompt(reader: Reader, scope: MemoryScope): Promise<ToldCore[]> {
  const { personId, companionId, audience } = scope;
  const rows = await reader.$queryRaw<
    (Omit<ToldCore, 'updatedAt' | 'label'> & { label: string; updatedAt: Date })[]
  >`
    SELECT label, text, updated_by AS "updatedBy", updated_at AS "updatedAt", origins FROM core_blocks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience} AND text <> ''
    UNION ALL
    (SELECT 'name', row.value, 'person', row.said_at,
        jsonb_build_array(jsonb_build_object('text', row.value, 'sources', row.sources))
      FROM memories AS row
      WHERE ${isAudible(scope)} AND row.attribute = 'name' AND row.kind = 'fact' AND row.is_sure AND row.valid_to IS NULL
      ORDER BY row.said_at DESC LIMIT 1)
    ORDER BY 1`;
  const blocks = rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
  const name = blocks.find(({ label }) => label === 'name');
  const core = blocks.filter((block): block is ToldCore => block.label !== 'name');
  if (!name) return core;
  const human = core.find(({ label }) => label === 'human');
  const told = `They are called ${name.text}.`;
  return [
    {
      ...(human ?? name),
      label: 'human',
      text: human ? `${told}\n${human.text}` : told,
      origins: [...name.origins, ...(human?.origins ?? [])],
    },
    ...core.filter(({ label }) => label !== 'human'),
  ];
}
