import { channel } from 'node:diagnostics_channel';

/**
 * The points of a message's way, in their order: between any two of them a process can die, and the message must
 * still end in exactly one outcome. The fault harness listens and ends the process there.
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

/** Name of the diagnostics channel that steps are published on. */
export const STEPS_CHANNEL = 'kith:step';

const steps = channel(STEPS_CHANNEL);

/** Says that a message has come this far. Costs a check when nobody listens, which is always in production. */
export function step(name: Step): void {
  if (steps.hasSubscribers) steps.publish(name);
}
