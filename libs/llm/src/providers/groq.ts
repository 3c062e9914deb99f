import Groq from 'groq-sdk';
import type { ModelEvent, ModelProvider, ModelRequest } from '../message.js';
import { chatCompletionsBody, readChunks } from './chat-completions.js';

/** Groq, through its own SDK, which adds `/openai/v1` to the base URL. */
export class GroqModel implements ModelProvider {
  readonly name: string;
  readonly #client: Groq;

  constructor(
    private readonly model: string,
    settings: { apiKey: string; baseUrl: string },
  ) {
    this.name = `groq:${model}`;
    this.#client = new Groq({ apiKey: settings.apiKey, baseURL: settings.baseUrl, maxRetries: 0 });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    yield* readChunks(
      await this.#client.chat.completions.create(chatCompletionsBody(this.model, request), { signal }),
    );
  }
}
