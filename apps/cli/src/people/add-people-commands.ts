import type { Command } from '@commander-js/extra-typings';
import {
  ApiScope,
  countHoldings,
  keyRoutes,
  looksLikeApiKey,
  peopleRoutes,
  signInRoutes,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { confirm, requireTypist } from '../input/confirm.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { positive } from '../input/options.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import { printList, readList } from '../suite/read-list.js';
import { printable } from '../terminal/display-text.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';
import { planKey, stateOf } from './keys.js';

/** Adds the commands for people, their keys, and a browser's sign-in. */
export function addPeopleCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  const people = addCommand(program, 'people', 'list and erase people; needs a key with the scope admin');
  addJsonCommand(people, 'list', 'list everyone, with the doors they come by', { isDefault: true })
    .option('--limit <n>', 'how many', positive, 50)
    .action(async ({ limit, json }) => {
      const list = await readList('people', limit, (query) => api.call(peopleRoutes.list, { query }));
      printList(terminal, 'people', list, { json, none: 'nobody yet' }, [
        { header: 'id', value: ({ personId }) => personId },
        { header: 'name', value: ({ displayName }) => displayName, flexible: true },
        { header: 'since', value: ({ createdAt }) => createdAt.slice(0, 10) },
        { header: 'doors', value: ({ identities }) => identities.map(({ door }) => door).join(',') },
      ]);
    });
  addJsonCommand(
    people,
    'erase <person>',
    'erase somebody everywhere, for good, after showing how much there is',
  )
    .option('--dry-run', 'only show it')
    .option('--yes', 'without asking')
    .action(async (person, { dryRun, yes, json }) => {
      const params = { id: person };
      const alone = 'erase asks before it erases somebody: say --yes where nobody can answer';
      // Before what there is goes to the output, where JSON may be wanted.
      if (!dryRun && !yes) requireTypist(terminal, alone);
      if (dryRun || !yes) {
        const { stores, silent } = await api.call(peopleRoutes.holdings, { params });
        if (dryRun && json) return terminal.json({ stores, silent });
        showStores(terminal, stores);
        if (silent.length > 0) terminal.note(`not counted, for they do not answer: ${silent.join(', ')}`);
        if (dryRun) return;
        const question = `Erase ${printable(person)} everywhere? It can't be undone.`;
        if (!(await confirm(terminal, question, alone))) return terminal.note('nobody was erased');
      }
      const erasure = await api.call(peopleRoutes.erase, { params });
      if (json) return terminal.json(erasure);
      const { personId, stores, finishedAt } = erasure;
      if (yes) showStores(terminal, stores);
      terminal.line(
        finishedAt === null
          ? `${personId} is being erased: kith people erasures shows when it is done`
          : `${personId} is erased: ${countHoldings(stores)} entries`,
      );
    });
  addJsonCommand(people, 'erasures', 'list the receipts of erasures, newest first')
    .option('--limit <n>', 'how many', positive, 50)
    .action(async ({ limit, json }) => {
      const list = await readList('erasures', limit, (query) => api.call(peopleRoutes.erasures, { query }));
      printList(terminal, 'erasures', list, { json, none: 'nobody was erased' }, [
        { header: 'id', value: ({ personId }) => personId },
        { header: 'asked', value: ({ askedAt }) => minuteOf(askedAt) },
        { header: 'by', value: ({ askedBy }) => askedBy },
        { header: 'finished', value: ({ finishedAt: at }) => (at === null ? 'not yet' : minuteOf(at)) },
        { header: 'entries', value: ({ stores }) => String(countHoldings(stores)), align: 'right' },
      ]);
    });

  const keys = addCommand(program, 'keys', 'list, make and end API keys; needs a key with the scope admin');
  addJsonCommand(keys, 'list', 'list every key without the key itself: its owner, scopes and last use')
    .option('--person <id>', 'only theirs')
    .option('--limit <n>', 'how many', positive, 50)
    .action(async ({ person, limit, json }) => {
      const list = await readList('keys', limit, (page) =>
        api.call(keyRoutes.list, { query: { person, ...page } }),
      );
      const reasonOf = ({ madeBy, reason }: (typeof list.keys)[number]) => (madeBy && reason) ?? '';
      printList(terminal, 'keys', list, { json, none: 'no such keys' }, [
        { header: 'id', value: ({ id }) => id },
        { header: 'name', value: ({ name }) => name },
        { header: 'whose', value: ({ displayName }) => displayName, flexible: true },
        { header: 'may', value: ({ scopes }) => scopes.join(',') },
        { header: 'state', value: (key) => stateOf(key, new Date()) },
        { header: 'made by an operator, for', value: reasonOf, flexible: true },
        { header: 'last used', value: ({ lastUsedAt }) => lastUsedAt?.slice(0, 10) ?? 'never' },
      ]);
    });
  addCommand(keys, 'revoke <id...>', 'end keys, by the ids that list shows').action(async (ids) => {
    // Neither in an address, which proxies write down, nor in an error.
    if (ids.some(looksLikeApiKey))
      throw new CliError('a key is named by its id, which kith keys list shows, and not by itself', 2);
    await tryEach(terminal, ids, String, async (id) => {
      await api.call(keyRoutes.revoke, { params: { id } });
      terminal.line(`${id} is revoked`);
    });
  });
  addJsonCommand(keys, 'create', 'make a key; it is shown this once')
    .requiredOption('--person <name>', 'its owner: a name for a new person, or the id of a known one')
    .option('--name <name>', 'name of the key in lists', 'cli')
    .option('--scope <scopes>', `its scopes, of ${ApiScope.options.join(',')}`, 'chat,memories,outreach')
    .option('--expires <date>', 'until when, such as 2027-12-31')
    .option('--reason <words>', 'why it is to act as another known person, who is told')
    .action(async (options) => {
      const created = await api.call(keyRoutes.create, { body: planKey(options, new Date()) });
      if (options.json) return terminal.json(created);
      const { key, personId, scopes, id } = created;
      // The key alone goes to the output, so that a script can keep it.
      terminal.line(key);
      const whose = personId === options.person.toLowerCase() ? 'person' : 'new person';
      terminal.note(`shown this once; ${whose} ${personId}, may ${scopes.join(', ')}, id ${id}`);
    });

  addCommand(
    program,
    'login',
    'print a link that signs one browser in as you, once, within ten minutes',
  ).action(async () => {
    const { code, expiresAt } = await api.call(signInRoutes.makeCode);
    terminal.line(`${context.config.url}/#code=${code}`);
    const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - Date.now()) / 60_000));
    terminal.note(`signs one browser in, once, within ${minutes} minutes; kith login makes another`);
  });
}

/** Shows the stores that hold something: most hold nothing of most people. */
function showStores(terminal: Terminal, stores: Readonly<Record<string, Readonly<Record<string, number>>>>) {
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
