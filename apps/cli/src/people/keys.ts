import { keyRoutes, KeyRequest, PersonId, signInRoutes, type KeyView } from '@kith/contracts';
import type { z } from 'zod';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { readTime } from '../input/read-time.js';
import { tryEach } from '../input/try-each.js';
import { readList, tellMore } from '../suite/read-list.js';

export interface KeyOptions {
  person: string;
  name?: string;
  scope?: string;
  expires?: string;
  reason?: string;
  json?: boolean;
}

/**
 * Makes a request of the flags: `--person` is an existing person's id, or a name for a new one.
 * @throws CliError that says which flag is wrong
 */
export function planKey(options: KeyOptions, now: Date): z.output<typeof KeyRequest> {
  const { person, name, scope, expires, reason } = options;
  const given = {
    ...(PersonId.safeParse(person).success ? { personId: person } : { person }),
    name: name ?? 'cli',
    scopes: scope?.split(',').map((one) => one.trim()),
    expiresAt: expires === undefined ? undefined : readDate(expires, now),
    reason,
  };
  const flags = {
    person: '--person',
    name: '--name',
    scopes: '--scope',
    expiresAt: '--expires',
    reason: '--reason',
  };
  return checkFlags(KeyRequest, given, flags);
}

/** Makes a key with an admin's key. The key alone goes to the output, so that a script can keep it. */
export async function createKey({ api, terminal }: CommandContext, options: KeyOptions): Promise<void> {
  const created = await api.call(keyRoutes.create, { body: planKey(options, new Date()) });
  if (options.json) return terminal.json(created);
  terminal.line(created.key);
  terminal.note(
    `shown this once; person ${created.personId}, may ${created.scopes.join(', ')}, id ${created.id}`,
  );
}

/** Lists every key without the key itself: its owner, its scopes, and its last use. */
export async function listKeys(
  { api, terminal }: CommandContext,
  { person, limit, json }: { person?: string; limit: number; json?: boolean },
): Promise<void> {
  const list = await readList('keys', limit, (page) =>
    api.call(keyRoutes.list, { query: { person, ...page } }),
  );
  if (json) return terminal.json(list);
  if (list.keys.length === 0) return terminal.note('no such keys');
  terminal.table(list.keys, [
    { header: 'id', value: ({ id }) => id },
    { header: 'name', value: ({ name }) => name },
    { header: 'whose', value: ({ displayName }) => displayName, flexible: true },
    { header: 'may', value: ({ scopes }) => scopes.join(',') },
    { header: 'state', value: (key) => stateOf(key, new Date()) },
    {
      header: 'made by an operator, for',
      value: ({ madeBy, reason }) => (madeBy === null ? '' : (reason ?? '')),
      flexible: true,
    },
    { header: 'last used', value: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : day(lastUsedAt)) },
  ]);
  tellMore(terminal, list);
}

/** Ends keys: a request with one is refused from then on. */
export async function revokeKeys({ api, terminal }: CommandContext, ids: readonly string[]): Promise<void> {
  await tryEach(terminal, ids, String, async (id) => {
    await api.call(keyRoutes.revoke, { params: { id } });
    terminal.line(`${id} is revoked`);
  });
}

/** Prints a link to the console that signs one browser in, once, with a session of its own. */
export async function printSignInLink({ api, config, terminal }: CommandContext): Promise<void> {
  const { code, expiresAt } = await api.call(signInRoutes.makeCode);
  terminal.line(`${config.url}/#code=${code}`);
  const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - Date.now()) / 60_000));
  terminal.note(`signs one browser in, once, within ${minutes} minutes; kith login makes another`);
}

/** Tells if a key is in force, and until when. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<z.output<typeof KeyView>, 'revokedAt' | 'expiresAt'>,
  now: Date,
): string {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`;
  if (expiresAt === null) return 'in force';
  return new Date(expiresAt) <= now ? `expired ${day(expiresAt)}` : `until ${day(expiresAt)}`;
}

function day(time: string): string {
  return time.slice(0, 10);
}

/** Reads when a key expires: a day means its last moment in UTC. */
function readDate(text: string, now: Date): string {
  const time = readTime('--expires', /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (time <= now) throw new CliError(`--expires ${text} is past`, 2);
  return time.toISOString();
}
