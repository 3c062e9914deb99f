import type { HookReason } from '@kith/contracts';
import { z } from 'zod';
import { ToolArguments } from '../messages.js';

/** Person, place and turn that a model call is for, as far as it is for one. */
export interface CallAccount {
  personId?: string;
  companionId?: string;
  conversationId?: string;
  turnId?: string;
}

/** Answer of a hook by which a turn, a call of a tool or a call of a model goes no further. */
export const Refusal = z.strictObject({
  /** Short, for the trace: never shown to the person. */
  refuse: z.string().trim().min(1).max(200),
  /** Words the person is told instead of a reply. */
  say: z.string().trim().min(1).max(2_000).optional(),
});

const HookText = z.object({ type: z.literal('text'), text: z.string(), stable: z.literal(true).optional() });
const HookImage = z.object({ type: z.literal('image'), mediaType: z.string(), data: z.string() });
const HookSaid = z.object({ content: z.union([z.string(), z.array(HookText)]), name: z.string().optional() });

/** Message that a hook puts into a prompt, or leaves there. One of another form would pass for a failure of the host. */
const HookMessage = z.discriminatedUnion('role', [
  HookSaid.extend({ role: z.literal('system') }),
  HookSaid.extend({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.union([HookText, HookImage]))]),
  }),
  HookSaid.extend({
    role: z.literal('assistant'),
    toolCalls: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          arguments: ToolArguments,
          signature: z.string().optional(),
        }),
      )
      .optional(),
    reasoning: z
      .array(z.object({ origin: z.string(), text: z.string(), block: z.record(z.string(), z.unknown()) }))
      .optional(),
  }),
  HookSaid.extend({ role: z.literal('tool'), toolCallId: z.string(), name: z.string() }),
]);

/** Longest line that a hook adds to a prompt, and most of them: some hundred tokens each at the most. */
const Lines = z.array(z.string().trim().min(1).max(2_000)).max(20);
/** Longest reply that any door shows. */
const MAX_REPLY = 8_000;

/** Functions that a hook may have, and what each may return beside nothing. */
export const HOOK_RETURNS = {
  receive: Refusal,
  gate: Refusal,
  compose: z.union([Refusal, z.strictObject({ lines: Lines })]),
  beforeInvoke: z.union([Refusal, z.array(HookMessage).min(1)]),
  afterInvoke: Refusal,
  act: Refusal,
  reply: z.union([Refusal, z.strictObject({ text: z.string().trim().min(1).max(MAX_REPLY) })]),
  commit: Refusal,
} as const;
export type HookPoint = keyof typeof HOOK_RETURNS;

/** Function of a hook. Throws, or takes too long: then `onFailure` says what becomes of the turn. */
export type HookFunction = (...given: readonly unknown[]) => unknown;

/** Hook of an operator. */
export interface Hook extends Partial<Record<HookPoint, HookFunction>> {
  name: string;
  /** Lower ones first; of two with one order, by name. */
  order: number;
  /** `open`: without the hook that failed. `closed`: as if it had refused. */
  onFailure: 'open' | 'closed';
  timeoutMs: number;
}

/** Run of a hook, for a turn's trace. */
export interface HookRun {
  hook: string;
  point: HookPoint;
  ended: 'ok' | 'refused' | 'failed';
  tookMs: number;
}

/** Refusal, and whose it is. */
export interface HookRefusal {
  /** As `hook:NAME: REASON`. */
  reason: HookReason;
  say: string | null;
  /** True where it did not refuse, but failed, and fails closed. */
  hasFailed: boolean;
}
