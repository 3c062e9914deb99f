import { z } from 'zod';
import type { ModelRole } from './chain/model-role.js';
import { ModelError } from './errors/model-error.js';
import type { CallAccount } from './hooks/hook.js';
import { findJson } from './find-json.js';
import { textOf, type ChatMessage } from './messages.js';

/**
 * Asks a role for JSON of this schema. Reads it leniently, and lets the model mend it once. Throws a `ModelError` of kind
 * `garbled` after that, a `ModelChainError` when no model answers, and the signal's reason when it is aborted.
 */
export async function completeJson<Schema extends z.ZodType>(
  role: ModelRole,
  messages: readonly ChatMessage[],
  schema: Schema,
  maxTokens?: number,
  account: CallAccount = {},
  signal?: AbortSignal,
): Promise<z.infer<Schema>> {
  const asked = withInstruction(messages, schema);
  const ask = (list: readonly ChatMessage[]) =>
    role.complete({
      messages: list,
      account,
      json: true,
      temperature: 0, // the likeliest reading, not a lively one
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(signal && { signal }),
    });
  const first = await ask(asked);
  const read = readJson(first.text, schema);
  if (read.ok) return read.value;
  const second = await ask([
    ...asked,
    { role: 'assistant', content: first.text },
    { role: 'user', content: `That was not it: ${read.problem}. Answer again, with the JSON alone.` },
  ]);
  const mended = readJson(second.text, schema);
  if (mended.ok) return mended.value;
  throw new ModelError('garbled', `${second.model}: not the JSON asked for, twice`);
}

/** Adds the form to the system message. OpenAI also wants the word JSON in the messages. */
function withInstruction(messages: readonly ChatMessage[], schema: z.ZodType): ChatMessage[] {
  const form = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  const instruction = `Answer with one JSON object alone, of this JSON schema: ${form}`;
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ ...first, content: `${textOf(first.content)}\n\n${instruction}` }, ...rest]
    : [{ role: 'system', content: instruction }, ...messages];
}

type Read<T> = { ok: true; value: T } | { ok: false; problem: string };

function readJson<Schema extends z.ZodType>(text: string, schema: Schema): Read<z.infer<Schema>> {
  const found = findJson(text);
  if (found === undefined) return { ok: false, problem: 'it holds no JSON that can be parsed' };
  const parsed = schema.safeParse(found);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { ok: false, problem: issues.join('; ') };
}
