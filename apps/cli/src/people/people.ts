import { countHoldings, peopleRoutes, type ErasureView, type PersonHoldings } from '@kith/contracts';
import { confirm } from '../input/confirm.js';
import type { CommandContext } from '../suite/command-context.js';
import { readList, tellMore } from '../suite/read-list.js';
import { printable } from '../terminal/display-text.js';
import { minuteOf } from '../terminal/value-words.js';

type Stores = PersonHoldings['stores'];

/** Lists everyone who is known here. */
export async function listPeople(
  { api, terminal }: CommandContext,
  { limit, json }: { limit: number; json?: boolean },
): Promise<void> {
  const list = await readList('people', limit, (query) => api.call(peopleRoutes.list, { query }));
  if (json) return terminal.json(list);
  if (list.people.length === 0) return terminal.note('nobody yet');
  terminal.table(list.people, [
    { header: 'id', value: ({ personId }) => personId },
    { header: 'name', value: ({ displayName }) => displayName, flexible: true },
    { header: 'since', value: ({ createdAt }) => createdAt.slice(0, 10) },
    { header: 'doors', value: ({ identities }) => identities.map(({ door }) => door).join(',') },
  ]);
  tellMore(terminal, list);
}

/**
 * Shows how much is kept of somebody, asks, and erases it everywhere.
 * @throws CliError when nobody is there to ask and `yes` is not given
 */
export async function erasePerson(
  context: CommandContext,
  person: string,
  { yes, dryRun, json }: { yes?: boolean; dryRun?: boolean; json?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const params = { id: person };
  if (dryRun || !yes) {
    const { stores, silent } = await api.call(peopleRoutes.holdings, { params });
    if (dryRun && json) return terminal.json({ stores, silent });
    showStores(context, stores);
    if (silent.length > 0) terminal.note(`not counted, for they do not answer: ${silent.join(', ')}`);
    if (dryRun) return;
    const question = `Erase ${printable(person)} everywhere? It can't be undone.`;
    const alone = 'erase asks before it erases somebody: say --yes where nobody can answer';
    if (!(await confirm(terminal, question, alone))) return terminal.note('nobody was erased');
  }
  const erasure = await api.call(peopleRoutes.erase, { params });
  if (json) return terminal.json(erasure);
  if (yes) showStores(context, erasure.stores);
  terminal.line(describe(erasure));
}

/** Lists the receipts of erasures. */
export async function listErasures(
  { api, terminal }: CommandContext,
  { limit, json }: { limit: number; json?: boolean },
): Promise<void> {
  const list = await readList('erasures', limit, (query) => api.call(peopleRoutes.erasures, { query }));
  if (json) return terminal.json(list);
  if (list.erasures.length === 0) return terminal.note('nobody was erased');
  terminal.table(list.erasures, [
    { header: 'id', value: ({ personId }) => personId },
    { header: 'asked', value: ({ askedAt }) => minuteOf(askedAt) },
    { header: 'by', value: ({ askedBy }) => askedBy },
    {
      header: 'finished',
      value: ({ finishedAt }) => (finishedAt === null ? 'not yet' : minuteOf(finishedAt)),
    },
    { header: 'entries', value: ({ stores }) => String(countHoldings(stores)), align: 'right' },
  ]);
  tellMore(terminal, list);
}

/** Shows the stores that hold something: most hold nothing of most people. */
function showStores({ terminal }: CommandContext, stores: Stores): void {
  const rows = Object.entries(stores).flatMap(([service, holdings]) =>
    Object.entries(holdings).flatMap(([store, count]) => (count === 0 ? [] : [{ service, store, count }])),
  );
  if (rows.length === 0) return terminal.line('nothing is kept');
  terminal.table(rows, [
    { header: 'service', value: ({ service }) => service },
    { header: 'store', value: ({ store }) => store, flexible: true },
    { header: 'entries', value: ({ count }) => String(count), align: 'right' },
  ]);
}

function describe({ personId, stores, finishedAt }: ErasureView): string {
  return finishedAt === null
    ? `${personId} is being erased: kith people erasures shows when it is done`
    : `${personId} is erased: ${countHoldings(stores)} entries`;
}
