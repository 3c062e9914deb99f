import { Audience } from '@kith/contracts';
import { z } from 'zod';
import { ToolChanges } from '../tools/permission/tool-traits.js';

/** Words of a step: what the model thought, what it wrote beside its calls, and the calls. */
export const StepWords = z.object({
  thought: z.string(),
  /** Thoughts in the form in which their host wants them back. */
  reasoning: z
    .array(z.object({ origin: z.string(), text: z.string(), block: z.record(z.string(), z.unknown()) }))
    .default([]),
  text: z.string(),
  calls: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      signature: z.string().exactOptional(),
    }),
  ),
  /** Calls that the model asked for beyond these: they were not carried out. */
  leftOut: z.int().exactOptional(),
});
export type StepWords = z.infer<typeof StepWords>;

/** Memory that a turn was shown beside those it recalled, without words: by it the turn is found when it is forgotten. */
const ShownMemory = z.object({
  id: z.string(),
  sources: z.array(z.string()).readonly(),
  audience: Audience.exactOptional(),
});
export type ShownMemory = z.infer<typeof ShownMemory>;

/** Result of a call as the model is told it, and the memories it showed. */
export const CallResult = z.object({
  content: z.string(),
  ok: z.boolean(),
  /** True if it may have had its effect all the same. */
  mayBeDone: z.boolean().exactOptional(),
  shown: z.array(ShownMemory),
});
export type CallResult = z.infer<typeof CallResult>;

export const StoredCall = z.object({
  name: z.string(),
  /** Kept with it, as its tool's server may be gone at the next try; absent in rows of before. */
  changes: ToolChanges.exactOptional(),
  state: z.enum(['planned', 'ended']),
  ok: z.boolean().exactOptional(),
  mayBeDone: z.boolean().exactOptional(),
  /** Its encrypted result. */
  sealed: z.string().nullable().optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

/** Tokens of a step, and who wrote it. */
export interface StepCost {
  model: string;
  promptTokens: number;
  completionTokens: number;
}

/** Step that was committed. */
export interface KeptStep extends StepCost {
  number: number;
  at: Date;
  /** Null where its words are gone. */
  words: StepWords | null;
  calls: (Pick<StoredCall, 'name' | 'changes' | 'state' | 'ok' | 'mayBeDone'> & {
    result: CallResult | null;
  })[];
}
