import { storable } from '@kith/contracts';
import { z } from 'zod';
import type { ModelRole } from './chain/model-role.js';
import { ModelError } from './errors/model-error.js';
import { findJson } from './find-json.js';
import type { ChatMessage } from './messages.js';
import type { ModelRequest } from './provider.js';

/** The two messages of a prompt that asks for JSON. */
export interface JsonPrompt {
  system: string;
  user: string;
}

/**
 * Asks a role for JSON of this schema. Reads it leniently, and lets the model fix it once. Throws a `ModelError` of kind
 * `garbled` after that, a `ModelChainError` when no model answers, and the signal's reason when it is aborted.
 */
export async function completeJson<Schema extends z.ZodType>(
  role: ModelRole,
  { system, user }: JsonPrompt,
  schema: Schema,
  options: Pick<ModelRequest, 'maxTokens' | 'account' | 'signal'> = {},
): Promise<z.infer<Schema>> {
  const asked: ChatMessage[] = [
    { role: 'system', content: `${system}\n\n${instruction(schema)}` },
    { role: 'user', content: user },
  ];
  // Temperature 0: the likeliest reading, not a lively one.
  const ask = (messages: readonly ChatMessage[]) =>
    role.complete({ ...options, messages, json: true, temperature: 0 });
  const first = await ask(asked);
  const read = readJson(first.text, schema);
  if (read.problem === undefined) return read.value;
  const second = await ask([
    ...asked,
    { role: 'assistant', content: first.text },
    { role: 'user', content: `That was not it: ${read.problem}. Answer again, with the JSON alone.` },
  ]);
  const mended = readJson(second.text, schema);
  if (mended.problem === undefined) return mended.value;
  throw new ModelError('garbled', `${second.model}: not the JSON asked for, twice`);
}

/** Words the form. OpenAI also wants the word JSON in the messages. */
function instruction(schema: z.ZodType): string {
  const form = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  return `Answer with one JSON object alone, of this JSON schema: ${form}`;
}

function readJson<Schema extends z.ZodType>(text: string, schema: Schema) {
  const found = findJson(text);
  if (found === undefined) return { problem: 'it holds no JSON that can be parsed' };
  // What is read of an answer is stored, and JSON may spell what no store can hold.
  const parsed = schema.safeParse(storable(found));
  if (parsed.success) return { value: parsed.data };
  const issues = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { problem: issues.join('; ') };
}
