import { z } from 'zod';
import { checkBase64 } from './call-checks.js';
import { requestMessage, require400, sealOf, type RequestMessage } from './scripted-api.js';

const Kept = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() });
const common = { cache_control: Kept.optional() };
const Text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
  ...common,
});
const CallId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const Block = z.discriminatedUnion('type', [
  Text,
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
      data: z.string(),
    }),
    ...common,
  }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: CallId,
    name: z.string().regex(/^[\w-]{1,128}$/),
    input: z.record(z.string(), z.unknown()),
    ...common,
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: CallId,
    content: z.string().regex(/\S/).optional(),
    is_error: z.boolean().optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
]);
const Message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().regex(/\S/), z.array(Block).min(1)]),
});
const Tool = z.strictObject({
  name: z.string().regex(/^[\w-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  ...common,
});
const Body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(Text).min(1)]).optional(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).min(1).optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'none']) }).optional(),
  temperature: z.number().min(0).max(1).optional(),
  thinking: z.strictObject({ type: z.enum(['adaptive', 'disabled', 'between_tools']) }).optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high']) }).optional(),
  stream: z.boolean().default(false),
});
type Blocks = z.output<typeof Block>[];

/** Reads the body of a message by Anthropic's rules. */
export function readAnthropicBody(body: unknown) {
  const { model, stream, system, messages, tools, temperature, thinking } = Body.parse(body);
  const isFifth = /^claude-[a-z]+-[5-9]/.test(model);
  require400(!isFifth || temperature === undefined, '`temperature` is deprecated for this model.');
  require400(
    !/^claude-sonnet-5-\d/.test(model) || thinking?.type !== 'disabled',
    'thinking.type: "disabled" is not supported for this model. Use "between_tools" instead.',
  );
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  require400(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const turns = messages.map(({ role, content }) => ({
    role,
    blocks: typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  }));
  require400(turns[0]?.role === 'user', 'messages: first message must use the "user" role');
  require400(
    !isFifth || turns.at(-1)?.role === 'user',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
  checkTools(turns, tools !== undefined);
  for (const block of turns.flatMap(({ blocks }) => blocks)) {
    if (block.type === 'image') checkBase64(block.source.data);
    if (block.type !== 'thinking') continue;
    require400(block.signature === sealOf(model, block.thinking), 'Invalid `signature` in `thinking` block');
  }
  const systems = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  const first = systems.length > 0 ? [requestMessage('system', systems.join('\n\n'))] : [];
  return { model, stream, messages: [...first, ...turns.flatMap(({ role, blocks }) => hear(role, blocks))] };
}

function checkTools(turns: readonly { role: string; blocks: Blocks }[], hasTools: boolean): void {
  const seen = new Set<string>();
  for (const [at, { blocks }] of turns.entries()) {
    const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const before =
      turns[at - 1]?.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) ?? [];
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    for (const id of results)
      require400(before.includes(id), `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
    require400(new Set(results).size === results.length, 'each tool_use must have a single result');
    const missing = before.filter((id) => !results.includes(id));
    require400(
      missing.length === 0 &&
        blocks.slice(0, before.length).every(({ type }) => before.length === 0 || type === 'tool_result'),
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`,
    );
    for (const id of calls) {
      require400(!seen.has(id), '`tool_use` ids must be unique');
      seen.add(id);
    }
    require400(
      calls.length === 0 || at < turns.length - 1,
      '`tool_use` ids were found without `tool_result` blocks',
    );
    require400(
      calls.length === 0 || hasTools,
      'Requests which include `tool_use` or `tool_result` blocks must define tools',
    );
  }
}

function hear(role: string, blocks: Blocks): RequestMessage[] {
  const results = blocks.flatMap((block) =>
    block.type === 'tool_result' ? [requestMessage('tool', block.content ?? '')] : [],
  );
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = blocks.flatMap((block) => (block.type === 'image' ? [block.source.media_type] : []));
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
  );
  const said =
    text || images.length > 0 || calls.length > 0 ? [requestMessage(role, text, { images, calls })] : [];
  return [...results, ...said];
}
