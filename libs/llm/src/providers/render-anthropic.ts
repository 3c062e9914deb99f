import type {
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import { reasoningFor, textOf, type ChatMessage, type ToolDefinition } from '../messages.js';
import { spokenParts } from '../spoken-parts.js';
import { wholeExchanges } from '../whole-exchanges.js';

/** Tells the host to keep what it has read up to here: a request that begins alike costs a tenth of it. */
const KEPT = { cache_control: { type: 'ephemeral' as const } };

/** Stands where the API wants a person's turn and nobody spoke. */
const SILENCE: TextBlockParam = { type: 'text', text: '…' };

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

export interface AnthropicPrompt {
  system?: TextBlockParam[];
  tools?: Tool[];
  tool_choice?: { type: 'none' };
  messages: MessageParam[];
}

/**
 * Writes a history as Anthropic's Messages: what stands as system comes first, the sides take turns, and a person
 * begins and ends. The stable beginning is marked to be kept; with tools also the end, since the same turn asks again
 * with a little more behind it.
 * @param origin `host:model`, whose own reasoning goes back to it
 */
export function renderAnthropic(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[] | undefined,
  origin: string,
): AnthropicPrompt {
  const system: TextBlockParam[] = [];
  const turns: Turn[] = [];
  for (const message of wholeExchanges(messages)) {
    if (message.role === 'system') {
      system.push(
        ...spokenParts(message).flatMap((part) => (part.type === 'text' ? [renderText(part)] : [])),
      );
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = renderBlocks(message, origin);
    if (content.length === 0) continue;
    if (turns.length === 0 && role === 'assistant') turns.push({ role: 'user', content: [SILENCE] });
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', content: [SILENCE] });
  const beginning = system.length > 0 ? { system } : {};
  if (!tools?.length) return { ...beginning, ...renderUsedTools(turns), messages: turns };
  return {
    ...beginning,
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters as Tool.InputSchema,
    })),
    messages: markEnd(turns),
  };
}

/** Names the tools of calls that stand in the history: the API refuses calls of tools that it is not told of. */
function renderUsedTools(turns: readonly Turn[]): Pick<AnthropicPrompt, 'tools' | 'tool_choice'> {
  const blocks = turns.flatMap(({ content }) => content);
  const names = new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])));
  if (names.size === 0) return {};
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' as const } }));
  return { tools, tool_choice: { type: 'none' } };
}

function renderBlocks(
  message: Exclude<ChatMessage, { role: 'system' }>,
  origin: string,
): ContentBlockParam[] {
  if (message.role === 'tool') {
    const content = textOf(message.content);
    return [
      { type: 'tool_result', tool_use_id: message.toolCallId, ...(/\S/.test(content) ? { content } : {}) },
    ];
  }
  const said = spokenParts(message).map((part): ContentBlockParam => {
    if (part.type === 'text') return renderText(part);
    return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } };
  });
  if (message.role === 'user') return said;
  return [
    ...reasoningFor(origin, message).map(({ block }) => block as unknown as ContentBlockParam),
    ...said,
    ...(message.toolCalls ?? []).map(({ id, name, arguments: input }): ContentBlockParam => ({
      type: 'tool_use',
      id,
      name,
      input,
    })),
  ];
}

function renderText({ text, stable }: { text: string; stable?: true }): TextBlockParam {
  return { type: 'text', text, ...(stable ? KEPT : {}) };
}

function markEnd(turns: readonly Turn[]): MessageParam[] {
  return turns.map((turn, at) => {
    const last = turn.content.at(-1);
    if (at < turns.length - 1 || !last) return turn;
    return { ...turn, content: [...turn.content.slice(0, -1), { ...last, ...KEPT }] };
  });
}
