import { GoogleGenAI, type Content, type FinishReason } from '@google/genai';
import type { ChatMessage, ModelEvent, ModelProvider, ModelRequest } from '../message.js';

/** Google Gemini. Its roles are `user` and `model`, and the system text stands apart. */
export class GeminiModel implements ModelProvider {
  readonly name: string;
  readonly #client: GoogleGenAI;

  constructor(
    private readonly model: string,
    settings: { apiKey: string; baseUrl: string },
  ) {
    this.name = `gemini:${model}`;
    this.#client = new GoogleGenAI({ apiKey: settings.apiKey, httpOptions: { baseUrl: settings.baseUrl } });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const system = request.messages.filter((message) => message.role === 'system');
    const chunks = await this.#client.models.generateContentStream({
      model: this.model,
      contents: toContents(request.messages),
      config: {
        abortSignal: signal,
        maxOutputTokens: request.maxTokens,
        ...(system.length
          ? { systemInstruction: system.map((message) => message.content).join('\n\n') }
          : {}),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(request.json ? { responseMimeType: 'application/json' } : {}),
        ...(request.tools?.length
          ? {
              tools: [
                {
                  functionDeclarations: request.tools.map((tool) => ({
                    name: tool.name,
                    description: tool.description,
                    parametersJsonSchema: tool.parameters,
                  })),
                },
              ],
            }
          : {}),
      },
    });
    let finish: FinishReason | undefined;
    let usage: { promptTokens: number; completionTokens: number } | null = null;
    let calls = 0;
    for await (const chunk of chunks) {
      const candidate = chunk.candidates?.[0];
      for (const part of candidate?.content?.parts ?? []) {
        if (part.text && !part.thought) yield { type: 'text', text: part.text };
        if (part.functionCall?.name) {
          calls += 1;
          yield {
            type: 'tool-call',
            call: {
              id: part.functionCall.id ?? `call-${calls}`,
              name: part.functionCall.name,
              argumentsJson: JSON.stringify(part.functionCall.args ?? {}),
            },
          };
        }
      }
      finish = candidate?.finishReason ?? finish;
      const counted = chunk.usageMetadata;
      if (counted) {
        usage = {
          promptTokens: counted.promptTokenCount ?? 0,
          completionTokens: counted.candidatesTokenCount ?? 0,
        };
      }
    }
    if (finish === undefined) return; // cut: the role says so
    yield { type: 'end', finishReason: finishOf(finish, calls), usage };
  }
}

function finishOf(reason: FinishReason, calls: number) {
  if (calls > 0) return 'tool-calls';
  if (reason === 'MAX_TOKENS') return 'length';
  return reason === 'STOP' ? 'stop' : 'filtered';
}

function toContents(messages: readonly ChatMessage[]): Content[] {
  return messages.flatMap((message): Content[] => {
    switch (message.role) {
      case 'system':
        return [];
      case 'user':
        return [{ role: 'user', parts: [{ text: message.content }] }];
      case 'tool':
        return [
          {
            role: 'user',
            parts: [{ functionResponse: { name: message.name, response: { output: message.content } } }],
          },
        ];
      case 'assistant':
        return [
          {
            role: 'model',
            parts: [
              ...(message.content ? [{ text: message.content }] : []),
              ...(message.toolCalls ?? []).map((call) => ({
                functionCall: {
                  name: call.name,
                  args: JSON.parse(call.argumentsJson || '{}') as Record<string, unknown>,
                },
              })),
            ],
          },
        ];
    }
  });
}
