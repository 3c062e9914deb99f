import type { Breach } from './check-invariants.ts';

/** Findings about a message that was answered with three calls of tools. */
export interface ToolEffects {
  messageId: string;
  item: string;
  /** Moment at which the process was killed in its wave. */
  killedAt: string;
  /** Outcomes of its inbox rows. */
  outcomes: readonly (string | null)[];
  orders: number;
  notes: number;
  tasks: number;
  /** Steps of its turn, in order. */
  steps: readonly { number: number; calls: readonly { state: string; ok?: boolean }[] }[];
}

/** Calls that each of these messages leads to. */
const CALLS = 3;

/** Checks that each effect came once, the message has one outcome, and its turn's steps are whole. Pure. */
export function checkEffects(found: readonly ToolEffects[]): Breach[] {
  return found.flatMap(({ messageId, item, killedAt, outcomes, orders, notes, tasks, steps }) => {
    const breaches: Breach[] = [];
    const breach = (invariant: string, detail: string) =>
      breaches.push({ invariant, messageId, detail: `${detail} (killed at ${killedAt})` });
    if (outcomes.length !== 1 || outcomes[0] !== 'answered')
      breach('a message with tools has not the one outcome it should', outcomes.join(', ') || 'none');
    for (const [what, count] of Object.entries({ orders, notes, tasks })) {
      if (count !== 1) breach('an effect of a tool did not come once', `${item}: ${count} ${what}`);
    }
    const calls = steps.flatMap((step) => step.calls);
    const isOrdered = steps.every(({ number }, at) => number === at + 1);
    if (!isOrdered || calls.length !== CALLS || calls.some(({ state, ok }) => state !== 'ended' || !ok))
      breach('the steps of a turn are not whole', JSON.stringify(steps));
    return breaches;
  });
}
