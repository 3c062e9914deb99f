import { hash } from 'node:crypto';
import type { ToolDefinition } from '@kith/llm';
import type { z } from 'zod';
import type { ToolTraits } from './permission/tool-traits.js';

/** Circumstances of one call. */
export interface ToolCallContext {
  /** Idempotency key: the same for the same call of the same turn, also when the turn is taken again. */
  key: string;
  /** Aborted when the turn is pointless. */
  signal: AbortSignal;
}

/** Refusal by a tool of our own, in words for the model: its call changed nothing. */
export class NotDone extends Error {}

/** Description of a tool: for the model, and for whoever decides about it. */
export interface ToolDeclaration {
  definition: ToolDefinition;
  traits: ToolTraits;
}

/** Tool that a model may use during a turn. Whose turn it is comes from the claim, never from the model. */
export interface Tool extends ToolDeclaration {
  /**
   * A call that was broken off is made again: the other side recognises it by its key, or shows a page once more. Any
   * other is not: it may have happened.
   */
  isRepeatable?: boolean;
  /** Carries out a call. Returns what the model is told. @throws NotDone where a tool of our own refuses */
  call(given: Record<string, unknown>, context: ToolCallContext): Promise<string>;
}

/** Declares a tool of our own, which may be used until a rule denies it, unless it says otherwise. Every property is required. */
export function declareTool(
  name: string,
  description: string,
  properties: Record<string, object>,
  traits: Pick<ToolTraits, 'reads' | 'changes'> & Partial<Pick<ToolTraits, 'allowedBy' | 'asks'>>,
): ToolDeclaration {
  const definition: ToolDefinition = {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  };
  return { definition, traits: { name, allowedBy: 'built-in', asks: [], pin: pinOf(definition), ...traits } };
}

/** Makes a tool of our own, whose schema reads what a model gives before anything is done. */
export function ownTool<Schema extends z.ZodType>(
  declaration: ToolDeclaration,
  schema: Schema,
  call: (given: z.output<Schema>, key: string) => Promise<string>,
): Tool {
  return { ...declaration, call: async (given, { key }) => call(schema.parse(given), key) };
}

/** Hashes a tool's definition for models: a tool with another definition is another tool. */
export function pinOf({ name, description, parameters }: ToolDefinition): string {
  return hash('sha256', JSON.stringify([name, description, sorted(parameters)]));
}

/** Makes the pin of a tool that leads somewhere else: at another address it is another tool. */
export function pinAt(pin: string, address: string): string {
  return hash('sha256', `${pin} ${address}`);
}

/** Puts the keys of objects in order, at whatever depth: a server or a model may write the same in any. */
export function sorted<Of>(value: Of): Of {
  if (Array.isArray(value)) return value.map(sorted) as Of;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)])) as Of;
}
