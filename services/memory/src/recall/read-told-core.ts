import type { ToldCore } from '@kith/contracts';
import type { Reader } from '@kith/database';
import { readCore } from '../core/read-core.js';
import { chosenName } from '../facts/chosen-name.js';
import { factOf } from '../facts/fact-records.js';
import { isAudible } from '../rows/audience-conditions.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';

/** Most names that are read, the latest first: older ones do not count any more. */
const MAX_NAMES = 20;

/**
 * Reads core memory as a prompt carries it: under `human` also the name that the person gave themself, as this audience heard
 * it. Both statements go at once, since every turn waits for them.
 */
export async function readToldCore(reader: Reader, scope: MemoryScope): Promise<ToldCore[]> {
  const [core, names] = await Promise.all([readCore(reader, scope), readNames(reader, scope)]);
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

/** Reads what an audience heard of the person's name, ended names too: they may end what was told elsewhere. */
async function readNames(reader: Reader, scope: MemoryScope): Promise<MemoryRow[]> {
  return reader.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE ${isAudible(scope)} AND row.attribute = 'name' AND row.kind = 'fact' AND row.is_sure
    ORDER BY row.said_at DESC LIMIT ${MAX_NAMES}`;
}
