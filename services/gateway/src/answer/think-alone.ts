import { memoryContract } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import { mayUseTools, type AnswerParts } from './answer-parts.js';
import { composeAnswer, type TurnShell } from './compose-answer.js';
import type { FinishedTurn } from './finished-turn.js';
import { askWhatIsUnsettled, mindState, readMind, remindOfTasks } from './heartbeat-rules.js';
import type { nothingSaid } from './turn-outcome.js';

/**
 * Runs a heartbeat: first the rules, then the model if it may use tools and the budget allows. The
 * state before and after is kept with the run.
 */
export async function thinkAlone(
  parts: AnswerParts,
  claim: Claim,
  shell: TurnShell,
  nothing: ReturnType<typeof nothingSaid>,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const { messenger } = parts;
  const mind = messenger.canAsk ? await readMind(messenger, claim).catch(() => null) : null;
  if (!mind) return { ...nothing, outcome: 'silent', reason: 'no-memory', endedAt: new Date() };
  const before = mindState(mind);
  const reminders = await remindOfTasks(messenger, claim, mind.tasks, shell.startedAt).catch(() => null);
  const { questions, answered } = await askWhatIsUnsettled(messenger, claim, mind);
  // What they said is read for facts before the lines leave the prompt.
  const { personId, companionId } = claim;
  await messenger
    .enqueue(memoryContract.extract, { whose: [{ personId, companionId }] })
    .catch(() => undefined);
  const thinks = mayUseTools(parts) && parts.spend.decide(claim.personId) === 'proceed';
  const turn: FinishedTurn = thinks
    ? await composeAnswer(parts, claim, shell, signal)
    : { ...nothing, outcome: 'silent', reason: 'rules', endedAt: new Date() };
  const after = await readMind(messenger, claim).catch(() => mind);
  // A task that the heartbeat has noted or moved may be due today.
  const later = await remindOfTasks(messenger, claim, after.tasks, shell.startedAt).catch(() => null);
  const kept = reminders === null || later === null ? null : reminders + later;
  const heartbeat = { reminders: kept, questions, settled: answered, before, after: mindState(after) };
  return { ...turn, details: { ...turn.details, heartbeat }, endedAt: new Date() };
}
