import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../messages.js';
import { renderMessages } from './chat-completions.js';
import { renderAnthropic } from './render-anthropic.js';
import { renderGemini } from './render-gemini.js';
import { renderOllama } from './render-ollama.js';
import { renderResponses } from './openai-responses-provider.js';
import { TRANSCRIPTS } from './testing-transcripts.js';

const RENDERERS: Record<string, (messages: readonly ChatMessage[]) => unknown> = {
  'chat completions': (messages) => renderMessages(messages, 'host:model'),
  responses: (messages) => renderResponses(messages, 'host:model'),
  anthropic: (messages) => renderAnthropic(messages, undefined, 'host:model'),
  gemini: (messages) => renderGemini(messages, 'gemini-3.8-flash'),
  ollama: (messages) => renderOllama(messages, 'host:model'),
};

describe('the sixty transcripts', () => {
  it('are sixty', () => {
    expect(new Set(TRANSCRIPTS.map((messages) => JSON.stringify(messages))).size).toBe(60);
  });

  it.each(Object.entries(RENDERERS))('are written for %s as they were', (_name, render) => {
    expect(TRANSCRIPTS.map((messages) => JSON.stringify(render(messages))).join('\n')).toMatchSnapshot();
  });
});
