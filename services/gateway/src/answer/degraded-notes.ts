import { healthContract } from '@kith/contracts';
import type { ModelRole, ModelTry } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import type { DegradedStates, Part } from '@kith/service-host';
import type { Logger } from 'pino';

const CHAT_MODEL = 'chat-model';
/** Services that a turn goes on without, and what people notice of it. */
const SERVICES_DONE_WITHOUT = {
  personality: 'replies come without mood and style',
  memory: 'replies come without recall',
};

/** Notes which services did not answer a turn's questions. Without Redis none could, and that is another state. */
export function noteServices(
  { states, messenger }: { states: DegradedStates; messenger: Messenger },
  missing: readonly string[],
): void {
  for (const [part, effect] of Object.entries(SERVICES_DONE_WITHOUT)) {
    if (!missing.includes(part)) states.leave(part);
    else if (messenger.canAsk) {
      states.enter({ part, effect, probe: () => messenger.ask(healthContract(part), {}) });
    }
  }
}

/**
 * Notes which chat model answered a turn: the first one, one after it, or none at all. A model that refused what was
 * asked is well, and so is one that thought and then said nothing.
 */
export function noteModels(
  { states, logger }: { states: DegradedStates; logger: Logger },
  role: ModelRole,
  { model, tries }: { model: string | null; tries: readonly ModelTry[] },
): void {
  const leftOut = tries.flatMap((each) => each.leftOut ?? []);
  if (leftOut.length > 0)
    logger.warn({ tools: leftOut, tries }, 'a chat model’s host refuses tools, and is asked without them');
  const isDown = (name: string) =>
    role
      .status()
      .some(
        ({ model: each, lastError, isTrusted }) =>
          each === name && lastError !== null && !(lastError === 'empty' && isTrusted),
      );
  const failed = [...new Set(tries.map((each) => each.model))].filter(isDown);
  if (failed.length === 0) return states.leave(CHAT_MODEL);
  const part: Part = {
    part: CHAT_MODEL,
    effect:
      model === null
        ? 'Kith can’t reach its model: replies are short apologies'
        : `Kith can’t reach ${failed.join(', ')}: ${model} answers in its place`,
    // With all of them down, any that is back is enough to talk again.
    probe: async () => {
      await role.probe();
      if (model !== null && failed.some(isDown)) throw new Error('still down');
    },
  };
  if (!states.enter(part)) return;
  const isSpent = tries.some(({ kind }) => kind === 'spend-limit');
  logger.error({ tries }, isSpent ? 'a model’s spend limit is reached' : 'a chat model does not answer');
}
