import type { z } from 'zod';
import type { ChatMessage } from './message.js';
import { ModelError } from './model-error.js';
import type { ModelRole } from './roles/model-role.js';

/**
 * An answer as data: asks for JSON, parses it by the schema, and lets the model repair its answer once.
 * @throws ModelError `garbled` when it is wrong twice; ModelChainError when no model answers
 */
export async function completeJson<Schema extends z.ZodType>(
  role: ModelRole,
  messages: ChatMessage[],
  schema: Schema,
  maxTokens = 500,
): Promise<z.output<Schema>> {
  const first = await role.complete({ messages, maxTokens, json: true, temperature: 0 });
  const parsed = parseJson(first.text, schema);
  if (parsed.ok) return parsed.value;
  const repaired = await role.complete({
    messages: [
      ...messages,
      { role: 'assistant', content: first.text },
      {
        role: 'user',
        content: `That is not valid (${parsed.problem}). Answer again with the JSON object alone.`,
      },
    ],
    maxTokens,
    json: true,
    temperature: 0,
  });
  const second = parseJson(repaired.text, schema);
  if (second.ok) return second.value;
  throw new ModelError(
    'garbled',
    `${repaired.model} did not give the JSON it was asked for: ${second.problem}`,
  );
}

type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Small models wrap JSON in fences and chatter: the outermost braces are what counts. */
function parseJson<Schema extends z.ZodType>(text: string, schema: Schema): Parsed<z.output<Schema>> {
  const json = /[[{][\s\S]*[\]}]/.exec(text)?.[0];
  if (!json) return { ok: false, problem: 'there is no JSON in it' };
  try {
    const result = schema.safeParse(JSON.parse(json));
    if (result.success) return { ok: true, value: result.data };
    const issue = result.error.issues[0];
    return { ok: false, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}` };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}
