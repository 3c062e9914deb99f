import { CompanionList, type CompanionView } from '@kith/contracts';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

/** Prints the companions of this suite; the default one is marked. */
export async function showCompanions({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const list = await api.get('/v1/companions', CompanionList);
  if (asJson) return terminal.json(list);
  terminal.table(list.companions, [
    { header: 'id', value: ({ id }) => (id === list.defaultCompanion ? `${id} *` : id) },
    { header: 'name', value: ({ name }) => name },
    { header: 'version', value: ({ version }) => String(version), align: 'right' },
    { header: '', value: ({ tagline }) => tagline, flexible: true },
  ]);
}

/**
 * The named companion, or the default one.
 * @throws CliError that lists those there are
 */
export async function findCompanion(
  { api }: CommandContext,
  wanted: string | undefined,
): Promise<CompanionView> {
  const { companions, defaultCompanion } = await api.get('/v1/companions', CompanionList);
  const found = companions.find(({ id }) => id === (wanted ?? defaultCompanion));
  if (found) return found;
  const known = companions.map(({ id }) => id).join(', ') || 'none yet';
  throw new CliError(`there is no companion "${wanted ?? defaultCompanion}": choose one of ${known}`);
}
