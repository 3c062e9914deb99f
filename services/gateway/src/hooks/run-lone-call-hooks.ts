import type { HookList } from '@kith/llm';
import type { Logger } from 'pino';

/** Call of a tool that no turn makes. */
interface LoneCall {
  personId: string;
  place: { companionId: string };
  /** Turn in which a model asked for it, and where; null where its person calls the tool themselves. */
  turnId: string | null;
  conversationId: string | null;
  tool: string;
  arguments: Record<string, unknown>;
}

const REFUSED = 'A rule of the operator does not allow this.';

/**
 * Runs the operator's hooks before a call that a person makes themselves, or has just said yes to. Returns what its person
 * is told where a hook refuses it; null where it may be made.
 */
export async function runLoneCallHooks(
  { hooks, logger }: { hooks: HookList; logger: Logger },
  call: LoneCall,
): Promise<string | null> {
  if (!hooks.has('act')) return null;
  const { personId, turnId, conversationId, tool } = call;
  const given = {
    ...{ turnId, conversationId, personId, companionId: call.place.companionId },
    // No turn speaks here: the fields for its place and messages are empty.
    ...{ audience: null, kind: null, door: null, origin: null, texts: [] },
    ...{ tool, arguments: call.arguments },
  };
  const { refusal } = await hooks.run({ point: 'act', value: null, given: () => [given] });
  if (!refusal) return null;
  logger.info({ tool, personId, reason: refusal.reason }, 'a hook refused a call of a tool');
  return refusal.say ?? REFUSED;
}
