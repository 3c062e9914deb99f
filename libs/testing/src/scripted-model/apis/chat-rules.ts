import { z } from 'zod';
import { argumentsOf, mediaTypeOf } from './call-checks.js';
import { requestMessage, require400, type RequestMessage } from './scripted-api.js';

const Name = z.string().regex(/^[\w-]{1,64}$/);
const Text = z.strictObject({ type: z.literal('text'), text: z.string() });
const Image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.string().optional() }),
});
const Texts = z.union([z.string(), z.array(Text).min(1)]);
const Call = z.strictObject({
  id: z.string().min(1).max(40),
  type: z.literal('function'),
  function: z.strictObject({ name: Name, arguments: z.string() }),
});
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: Texts, name: Name.optional() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.union([Text, Image])).min(1)]),
    name: Name.optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: Texts.nullish(),
    name: Name.optional(),
    tool_calls: z.array(Call).min(1).optional(),
    reasoning_content: z.string().optional(),
    reasoning: z.string().optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: Texts, tool_call_id: z.string() }),
]);
const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: Name, description: z.string(), parameters: z.looseObject({}) }),
});
const Body = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).min(1).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
  response_format: z.strictObject({ type: z.enum(['text', 'json_object']) }).optional(),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});

/** Reads a chat completion's body by the rules of OpenAI, which Groq and most hosts share. */
export function readChatBody(body: unknown) {
  const { model, stream, messages, response_format } = Body.parse(body);
  checkOrder(messages);
  const json = response_format?.type === 'json_object';
  require400(
    !json || /json/i.test(JSON.stringify(messages)),
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  );
  const ownReasoning = messages.some((each) => 'reasoning_content' in each || 'reasoning' in each);
  require400(!ownReasoning || !model.startsWith('gpt-'), 'Unrecognized request argument: reasoning_content');
  return { model, stream, messages: messages.map(hear) };
}

/** Results come at once after their calls, and each call has one. */
function checkOrder(messages: readonly z.output<typeof Message>[]): void {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      require400(
        open.delete(message.tool_call_id),
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
      continue;
    }
    require400(open.size === 0, missingResults(open));
    if (message.role !== 'assistant') continue;
    require400(message.content != null || message.tool_calls, 'an assistant message has no content');
    open = new Set(message.tool_calls?.map(({ id }) => id));
  }
  require400(open.size === 0, missingResults(open));
}

function missingResults(open: ReadonlySet<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${[...open].join(', ')}`;
}

function hear(message: z.output<typeof Message>): RequestMessage {
  const parts = typeof message.content === 'string' ? [] : (message.content ?? []);
  const text =
    typeof message.content === 'string'
      ? message.content
      : parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const images = parts.flatMap((part) =>
    part.type === 'image_url' ? [mediaTypeOf(part.image_url.url)] : [],
  );
  const called = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const calls = called.map((call) => ({
    name: call.function.name,
    arguments: argumentsOf(call.function.arguments),
  }));
  return requestMessage(message.role, text, { images, calls });
}
