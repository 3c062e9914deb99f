import { KeyCreated, KeyRequest } from '@kith/contracts';
import { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

export interface KeyOptions {
  person: string;
  name?: string;
  scope?: string;
  expires?: string;
  json?: boolean;
}

const PERSON_ID = z.uuid();

/**
 * What to ask the API for: `--person` is an existing person's id, or a name for a new one.
 * @throws CliError that says which flag is wrong
 */
export function planKey(options: KeyOptions): z.output<typeof KeyRequest> {
  const { person, name, scope, expires } = options;
  const whose = PERSON_ID.safeParse(person).success ? { personId: person } : { person };
  const parsed = KeyRequest.safeParse({
    ...whose,
    name: name ?? 'cli',
    ...(scope === undefined ? {} : { scopes: scope.split(',').map((one) => one.trim()) }),
    ...(expires === undefined ? {} : { expiresAt: readDate(expires) }),
  });
  if (!parsed.success) throw new CliError(z.prettifyError(parsed.error).replaceAll('\n', ' '), 2);
  return parsed.data;
}

/** Makes a key with an admin's key. The key alone goes to the output, so that a script can keep it. */
export async function createKey({ api, terminal }: CommandContext, options: KeyOptions): Promise<void> {
  const created = await api.send('POST', '/v1/keys', planKey(options), KeyCreated);
  if (options.json) return terminal.json(created);
  terminal.line(created.key);
  terminal.note(
    `shown this once; person ${created.personId}, may ${created.scopes.join(', ')}, id ${created.id}`,
  );
}

/** A day ends at its last moment in UTC; a time with an offset is taken as it is. */
function readDate(text: string): string {
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(time.getTime()))
    throw new CliError(`--expires ${text} is not a date such as 2027-12-31`, 2);
  return time.toISOString();
}
