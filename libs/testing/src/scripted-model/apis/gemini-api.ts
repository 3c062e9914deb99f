import { readGeminiBody } from './gemini-rules.js';
import {
  PLAIN_EVENTS,
  type ChatRequest,
  type ScriptedApi,
  type Spoken,
  type TokenCount,
  type WireAnswer,
} from './scripted-api.js';

/** Google's generateContent and streamGenerateContent, whose paths name the model. */
export const GEMINI_API: ScriptedApi = {
  ...PLAIN_EVENTS,
  read(body, path) {
    const [, name = '', verb = ''] = /^\/v1(?:beta)?\/models\/([^:]+):(\w+)/.exec(path) ?? [];
    const model = decodeURIComponent(name);
    return { model, stream: verb === 'streamGenerateContent', messages: readGeminiBody(body, model) };
  },
  answer: geminiAnswer,
  error: (status, message, code) => ({ error: { code: status || 500, message, status: code.toUpperCase() } }),
};

function geminiAnswer(
  { model }: ChatRequest,
  { pieces, toolCalls, isCut, isRefused, reasoning }: Spoken,
  tokens: TokenCount,
): WireAnswer {
  const usageMetadata = {
    promptTokenCount: tokens.prompt,
    candidatesTokenCount: tokens.completion,
    totalTokenCount: tokens.prompt + tokens.completion,
  };
  const isSigned = reasoning.length > 0;
  // They come whole, or not at all.
  const calls = (isCut ? [] : toolCalls).map((call, index) => ({
    functionCall: { name: call.name, args: call.arguments },
    ...(isSigned && index === 0 ? { thoughtSignature: `sig-${call.name}` } : {}),
  }));
  const answer = (parts: unknown[], finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata,
    modelVersion: model,
  });
  const text = pieces.join('');
  const finish = isRefused ? 'SAFETY' : isCut ? 'MAX_TOKENS' : 'STOP';
  return {
    whole: answer([...(text ? [{ text }] : []), ...calls], finish),
    openings: reasoning.map((words) => answer([{ text: words, thought: true }])),
    pieces: pieces.map((piece) => answer([{ text: piece }])),
    endings: [answer(calls, finish)],
    terminator: null,
  };
}
