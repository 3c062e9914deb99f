import { personaRoutes, type CompanionView, type RouteClient } from '@kith/contracts';
import { ApiError } from '../api/api-client.js';
import type { PersonaDraft } from './persona-draft.js';

/**
 * Puts what an operator wrote in force: as a new companion, or in place of the version that they began with.
 * @throws Error whose message is fit to show; where another version is in force by now, it says what to do
 */
export async function putPersona(
  api: Pick<RouteClient, 'call'>,
  { companionId, basedOn, written }: PersonaDraft,
): Promise<CompanionView> {
  const body = parseObject(written);
  if (companionId === null) return api.call(personaRoutes.create, { body });
  try {
    return await api.call(personaRoutes.edit, { params: { id: companionId }, query: { basedOn }, body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== CONFLICT) throw error;
    const advice = 'What you wrote is still here: copy what you changed, close it, and edit the new version.';
    throw new ApiError(error.status, `${error.message}. ${advice}`, { cause: error });
  }
}

/** Status of a refusal because somebody else was faster. */
const CONFLICT = 409;

function parseObject(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new Error(`That is not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('A persona is a JSON object.');
  return value as Record<string, unknown>;
}
