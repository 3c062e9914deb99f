import { auditRoutes } from '@kith/contracts';
import type { CommandContext } from '../suite/command-context.js';
import { secondOf } from '../terminal/value-words.js';
import { readList, tellMore } from '../suite/read-list.js';

/** Lists what operators did and looked at, the newest first. */
export async function listAudit(
  { api, terminal }: CommandContext,
  { limit, action, person, json }: { limit: number; action?: string; person?: string; json?: boolean },
): Promise<void> {
  const list = await readList('actions', limit, (page) =>
    api.call(auditRoutes.list, { query: { action, person, ...page } }),
  );
  if (json) return terminal.json(list);
  if (list.actions.length === 0) return terminal.note('no such actions');
  terminal.table(list.actions, [
    { header: 'at', value: ({ at }) => secondOf(at) },
    { header: 'key', value: ({ keyName }) => keyName },
    { header: 'what', value: ({ action }) => action },
    { header: 'outcome', value: ({ outcome }) => outcome },
    { header: 'about', value: ({ subjects }) => Object.values(subjects).join(' '), flexible: true },
  ]);
  tellMore(terminal, list);
}
