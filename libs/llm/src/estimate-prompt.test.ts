import { describe, expect, it } from '@jest/globals';
import { estimatePrompt, PICTURE_TOKENS } from './estimate-prompt.js';
import { estimateTokens } from './estimate-tokens.js';
import type { ChatMessage, ToolDefinition } from './messages.js';

const TOOL: ToolDefinition = { name: 'look_up', description: 'Looks it up.', parameters: { type: 'object' } };
const CALL = { id: 'c', name: 'look_up', arguments: { city: 'Oslo' } };
const THOUGHT = { origin: 'host:model', text: 'They ask for the weather.', block: {} };
const FOREIGN = { ...THOUGHT, origin: 'elsewhere:model' };
const PICTURE = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('estimatePrompt', () => {
  it('counts tools, calls, own reasoning and pictures beside words', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Is this Oslo?' }, PICTURE] },
      { role: 'assistant', content: 'Let me see.', toolCalls: [CALL], reasoning: [THOUGHT, FOREIGN] },
      { role: 'tool', content: 'sunny', toolCallId: 'c', name: 'look_up' },
    ];
    const words = ['Is this Oslo?', 'Let me see.', THOUGHT.text, 'sunny'];
    const json = [TOOL, CALL].map((part) => JSON.stringify(part));
    const tokens = [...words, ...json].reduce((sum, text) => sum + estimateTokens(text), PICTURE_TOKENS);
    expect(estimatePrompt({ messages, tools: [TOOL] }, THOUGHT.origin)).toBe(tokens);
  });
});
