import { z } from 'zod';
import { argumentsOf, mediaTypeOf } from './call-checks.js';
import { requestMessage, require400, sealOf, type RequestMessage } from './scripted-api.js';

const Part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string(),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
]);
const Message = z.union([
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user']),
    content: z.union([z.string(), z.array(Part).min(1)]),
  }),
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(z.strictObject({ type: z.literal('output_text'), text: z.string() })).min(1),
    ]),
  }),
]);
const Call = z.strictObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(64),
  name: z.string().regex(/^[\w-]{1,128}$/),
  arguments: z.string(),
});
const Output = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.string(),
});
const Reasoning = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string(),
});
const Item = z.union([Message, Call, Output, Reasoning]);
const Tool = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string(),
  parameters: z.looseObject({}),
  strict: z.boolean(),
});
const Body = z.strictObject({
  model: z.string(),
  input: z.array(Item).min(1),
  tools: z.array(Tool).min(1).optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.strictObject({ effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']) }).optional(),
  include: z.array(z.literal('reasoning.encrypted_content')).optional(),
  text: z.strictObject({ format: z.strictObject({ type: z.enum(['text', 'json_object']) }) }).optional(),
  store: z.boolean().default(true),
  stream: z.boolean().default(false),
});

/** Reads the body of a response by OpenAI's rules. */
export function readResponsesBody(body: unknown) {
  const { model, stream, input, text } = Body.parse(body);
  checkItems(model, input);
  require400(
    text?.format.type !== 'json_object' || /json/i.test(JSON.stringify(input)),
    "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
  );
  return { model, stream, messages: input.flatMap(hear).reduce(joinCalls, []) };
}

/** Calls belong to the words that were said before them. */
function joinCalls(messages: RequestMessage[], next: RequestMessage): RequestMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || !next.calls) return [...messages, next];
  return [...messages.slice(0, -1), { ...last, calls: [...(last.calls ?? []), ...next.calls] }];
}

function checkItems(model: string, input: readonly z.output<typeof Item>[]): void {
  const outputs = new Set(input.flatMap((item) => ('output' in item ? [item.call_id] : [])));
  const called = new Set<string>();
  for (const [at, item] of input.entries()) {
    if (item.type === 'function_call') {
      require400(!called.has(item.call_id), `Duplicate function call ${item.call_id}.`);
      require400(outputs.has(item.call_id), `No tool output found for function call ${item.call_id}.`);
      called.add(item.call_id);
    } else if (item.type === 'function_call_output') {
      require400(
        called.has(item.call_id),
        `No tool call found for function call output with call_id ${item.call_id}.`,
      );
    } else if (item.type === 'reasoning') {
      const words = item.summary.map((part) => part.text).join('\n');
      require400(
        item.encrypted_content === sealOf(model, words),
        'The encrypted content could not be verified.',
      );
      const next = input[at + 1];
      const follows = next?.type === 'function_call' || next?.type === 'reasoning' || isAnswer(next);
      require400(
        follows,
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
      );
    }
  }
}

function isAnswer(item: z.output<typeof Item> | undefined): boolean {
  return item !== undefined && 'role' in item && item.role === 'assistant';
}

function hear(item: z.output<typeof Item>): RequestMessage[] {
  if (item.type === 'reasoning') return [];
  if (item.type === 'function_call_output') return [requestMessage('tool', item.output)];
  if (item.type === 'function_call') {
    return [
      requestMessage('assistant', '', {
        calls: [{ name: item.name, arguments: argumentsOf(item.arguments) }],
      }),
    ];
  }
  if (typeof item.content === 'string') return [requestMessage(item.role, item.content)];
  const text = item.content.map((part) => ('text' in part ? part.text : '')).join('');
  const images = item.content.flatMap((part) => ('image_url' in part ? [mediaTypeOf(part.image_url)] : []));
  return [requestMessage(item.role, text, { images })];
}
