import OpenAI from 'openai';
import type { ModelEvent, ModelProvider, ModelRequest } from '../message.js';
import { chatCompletionsBody, readChunks } from './chat-completions.js';

/** Any host that speaks OpenAI's chat completions: OpenAI, Chutes, Ollama, vLLM and most others. */
export class OpenAiCompatible implements ModelProvider {
  readonly name: string;
  readonly #client: OpenAI;

  constructor(
    host: string,
    private readonly model: string,
    settings: { apiKey: string; baseUrl: string },
  ) {
    this.name = `${host}:${model}`;
    // Tries are the role's to count, so the SDK makes none of its own.
    this.#client = new OpenAI({ apiKey: settings.apiKey, baseURL: settings.baseUrl, maxRetries: 0 });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const body = { ...chatCompletionsBody(this.model, request), stream_options: { include_usage: true } };
    yield* readChunks(await this.#client.chat.completions.create(body, { signal }));
  }
}
