import { channel } from 'node:diagnostics_channel';

/**
 * Points that a message passes on its way, in order. A process may die between any two of them, and the message must
 * still end in exactly one outcome: the fault harness (tests/faults) listens and ends the process at each.
 */
export type Step =
  | 'received'
  | 'committed'
  | 'queued'
  | 'claimed'
  | 'prompt-built'
  | 'streaming'
  | 'step-committed'
  | 'call-made'
  | 'call-ended'
  | 'reply-stored'
  | 'outbox-claimed'
  | 'sent-unread'
  | 'marked-sent'
  | 'memory-extracting'
  | 'embedding-written';

const steps = channel('kith:step');

/** Says that a message has come this far. Costs one check where nobody listens, as always in production. */
export function step(name: Step): void {
  if (steps.hasSubscribers) steps.publish(name);
}
