import { companionRoutes, PersonaJson, type CompanionView } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { readText } from '../input/files.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * The named companion, or the default one.
 * @throws CliError that lists the known companions
 */
export async function findCompanion(
  { api }: Pick<CommandContext, 'api'>,
  wanted: string | undefined,
): Promise<CompanionView> {
  const { companions, defaultCompanion } = await api.call(companionRoutes.list);
  const found = companions.find(({ id }) => id === (wanted ?? defaultCompanion));
  if (found) return found;
  const known = companions.map(({ id }) => id).join(', ') || 'none yet';
  throw new CliError(`there is no companion "${wanted ?? defaultCompanion}": choose one of ${known}`);
}

/** Reads a persona file, `-` being the standard input. @throws CliError for one that can't be read, or is not JSON */
export async function readPersonaFile(
  file: string,
  terminal: Terminal,
): Promise<z.output<typeof PersonaJson>> {
  const content = await readText(file, terminal.input);
  try {
    return PersonaJson.parse(JSON.parse(content));
  } catch (cause) {
    throw new CliError(`${file} is not a persona: it has to be a JSON object`, 2, { cause });
  }
}
