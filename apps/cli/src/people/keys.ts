import { KeyRequest, PersonId, type KeyView } from '@kith/contracts';
import type { z } from 'zod';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import { readTime } from '../input/read-time.js';

interface KeyOptions {
  person: string;
  name?: string;
  scope?: string;
  expires?: string;
  reason?: string;
}

/**
 * Makes a request of the flags: `--person` is an existing person's id, or a name for a new one.
 * @throws CliError that says which flag is wrong
 */
export function planKey(options: KeyOptions, now: Date): z.output<typeof KeyRequest> {
  const { person, name = 'cli', scope, expires, reason } = options;
  const given = {
    ...(PersonId.safeParse(person).success ? { personId: person } : { person }),
    name,
    reason,
    scopes: scope?.split(',').map((one) => one.trim()),
    expiresAt: expires === undefined ? undefined : readDate(expires, now),
  };
  const flags = { name: '--name', scopes: '--scope', expiresAt: '--expires', reason: '--reason' };
  return checkFlags(KeyRequest, given, { person: '--person', ...flags });
}

/** Tells if a key is in force, and until when. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<z.output<typeof KeyView>, 'revokedAt' | 'expiresAt'>,
  now: Date,
): string {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`;
  if (expiresAt === null) return 'in force';
  return `${new Date(expiresAt) <= now ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`;
}

/** Reads when a key expires: a day means its last moment in UTC. */
function readDate(text: string, now: Date): string {
  const time = readTime('--expires', text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) time.setUTCHours(23, 59, 59);
  if (time <= now) throw new CliError(`--expires ${text} is past`, 2);
  return time.toISOString();
}
