import type { PromptCore } from '@kith/contracts';
import { sql, type Reader } from '@kith/database';
import { readCore } from '../core/read-core.js';
import { chosenName } from '../facts/chosen-name.js';
import { factOf } from '../facts/fact-records.js';
import { readAudible } from '../rows/audience-conditions.js';
import type { MemoryScope } from '../rows/memory-scope.js';

/** Most names that are read, the latest first: older ones do not count any more. */
const MAX_NAMES = 20;

/**
 * Reads core memory as a prompt carries it: under `human` also the name that the person gave themself, as this audience heard
 * it. Both statements go at once, since every turn waits for them.
 */
export async function readPromptCore(reader: Reader, scope: MemoryScope): Promise<PromptCore[]> {
  const [core, names] = await Promise.all([
    readCore(reader, scope),
    // Ended names too: they may end what was told elsewhere.
    readAudible(
      reader,
      scope,
      sql`row.attribute = 'name' AND row.kind = 'fact' AND row.is_sure
        ORDER BY row.said_at DESC LIMIT ${MAX_NAMES}`,
    ),
  ]);
  const name = chosenName(names.map(factOf));
  if (!name) return core;
  const human = core.find(({ label }) => label === 'human');
  const told = `They are called ${name.value}.`;
  return [
    {
      ...(human ?? { audience: scope.audience, updatedBy: 'person', updatedAt: name.saidAt.toISOString() }),
      label: 'human',
      text: human ? `${told}\n${human.text}` : told,
      origins: [{ text: name.value, sources: name.sources }, ...(human?.origins ?? [])],
    },
    ...core.filter(({ label }) => label !== 'human'),
  ];
}
