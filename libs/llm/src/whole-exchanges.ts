import { MAX_TOOL_NAME, reasoningFor, textOf, type ChatMessage, type ToolCall } from './messages.js';

/** Names of calls that every host takes: OpenAI allows 40 characters, Anthropic these letters. */
const CALL_ID = /^[\w-]{1,40}$/;

type ToolResult = Extract<ChatMessage, { role: 'tool' }>;
type Answer = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * Mends a history that was cut somewhere, so that hosts accept it: each call stands before its result, once, and under
 * an id of its own, and its name is one that a tool may have, also where a model made it up. A result without its call is
 * left out, and so is a call without its result. Reasoning stays with the calls of the running turn, the only ones that
 * hosts want it with. Pure.
 * @param origin `host:model` whose reasoning may name its calls: beside that they keep the ids that it gave them
 */
export function wholeExchanges(messages: readonly ChatMessage[], origin = ''): ChatMessage[] {
  const taken = new Set<string>();
  const lastSaid = messages.findLastIndex(({ role }) => role === 'user');
  return messages.flatMap((message, at): ChatMessage[] => {
    if (message.role === 'tool') return []; // stands with its call, or has none
    if (message.role !== 'assistant') return [message];
    if (!message.toolCalls?.length) return [withoutReasoning(message)];
    const results = resultsAfter(messages, at);
    const answered = message.toolCalls.flatMap((call): [ToolCall, ToolResult][] => {
      const result = results.get(call.id)?.shift();
      return result ? [[call, result]] : [];
    });
    // Hosts that seal their reasoning refuse it beside another set of calls than it led to.
    const isWhole = at > lastSaid && answered.length === message.toolCalls.length;
    const isOwn = isWhole && reasoningFor(origin, message).length > 0;
    const exchanges = answered.map(([call, result]): [ToolCall, ToolResult] => {
      const id = ownId(call.id, taken, isOwn);
      const name = call.name.replaceAll(/[^\w-]/g, '_').slice(0, MAX_TOOL_NAME) || 'unknown';
      return [
        { ...call, id, name },
        { ...result, toolCallId: id, name },
      ];
    });
    const toolCalls = exchanges.map(([call]) => call);
    const said = isWhole ? message : withoutReasoning(message);
    if (toolCalls.length === 0 && textOf(message.content) === '') return [];
    return [{ ...said, toolCalls }, ...exchanges.map(([, result]) => result)];
  });
}

/** Groups the results right after a message by their calls' ids, which a host may give to several. */
function resultsAfter(messages: readonly ChatMessage[], at: number): Map<string, ToolResult[]> {
  const end = messages.findIndex(({ role }, index) => index > at && role !== 'tool');
  const results = messages.slice(at + 1, end < 0 ? undefined : end) as ToolResult[];
  return Map.groupBy(results, ({ toolCallId }) => toolCallId);
}

function withoutReasoning(message: Answer): Answer {
  const { reasoning: _reasoning, ...rest } = message;
  return rest;
}

function ownId(id: string, taken: Set<string>, isOwn: boolean): string {
  let own = id;
  for (let number = taken.size; !(isOwn || CALL_ID.test(own)) || taken.has(own); number++)
    own = `call-${number}`;
  taken.add(own);
  return own;
}
