import { Persona } from '@kith/characters';
import { AppError, personalityContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/**
 * Reads a version of a persona, the one in force without a number; undefined if there is none, or an earlier release wrote
 * it in a form that can't be read any more: it can be replaced all the same.
 */
export async function readPersonaVersion(
  messenger: Pick<Messenger, 'ask'>,
  companionId: string,
  version?: number,
): Promise<Persona | undefined> {
  try {
    const { persona } = await messenger.ask(personalityContract.persona, { companionId, version });
    return Persona.safeParse(persona).data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
