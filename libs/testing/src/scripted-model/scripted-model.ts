import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { hugeReply, spokenOf, type Behaviour, type Reply } from './behaviour.js';
import { deliver, keepAlive, sendJson } from './deliver.js';
import { embeddingAnswer } from './scripted-embeddings.js';
import { modelList, type ScriptedOffer } from './scripted-lists.js';
import type { Spoken, TokenCount } from './apis/scripted-api.js';
import { rateLimit, spendLimit } from './limits.js';
import { APIS, apiOfPath, readScriptedRequest, type ScriptedRequest } from './scripted-request.js';

/**
 * A host of language models to test against, over real HTTP: OpenAI's chat completions, responses and embeddings (also
 * under Groq's path), Anthropic's messages, Gemini's generateContent, streamGenerateContent and batchEmbedContents, and
 * Ollama's chat. It says what the test scripts, fails in the ways that models fail, and refuses what they refuse.
 */
export class ScriptedModel {
  /** Every request it could read, in order. */
  readonly requests: ScriptedRequest[] = [];
  /** Reasons for which requests were refused as malformed, in order. */
  readonly refusals: string[] = [];
  /** Tokens of all chat answers together, as told to the callers. */
  readonly tokens: TokenCount = { prompt: 0, completion: 0 };
  private readonly server = createServer((request, response) => void this.serve(request, response));
  private readonly queue: Behaviour[] = [];
  private standing: Behaviour | null = null;
  private offered: readonly ScriptedOffer[] | null = null;
  private replyTo: (request: ScriptedRequest) => Reply = ({ messages }) =>
    `You said: ${messages.findLast(({ role }) => role === 'user')?.text ?? 'nothing'}`;

  private constructor(private readonly apiKey: string | undefined) {}

  /** Listens on a free port. With `apiKey`, requests without it get 401. */
  static async start({ apiKey }: { apiKey?: string } = {}): Promise<ScriptedModel> {
    const model = new ScriptedModel(apiKey);
    await new Promise<void>((listening) => model.server.listen(0, '127.0.0.1', listening));
    return model;
  }

  /** Without a path: `${url}/v1` for OpenAI-compatible clients, as it is for Groq's and Gemini's SDKs. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings of models where this host alone answers, as `compatible:scripted`, and has `waitMs` for it. */
  settings(waitMs: number) {
    const none = { baseUrl: '' };
    return {
      chatModels: 'compatible:scripted',
      fastModels: '',
      maxTries: 6,
      maxTokens: 1_000_000,
      tryTimeoutMs: waitMs,
      firstTokenTimeoutMs: waitMs,
      budgetMs: waitMs,
      chutes: none,
      openai: none,
      groq: none,
      gemini: none,
      compatible: { baseUrl: `${this.url}/v1` },
    };
  }

  /** Text it says where nothing else is scripted; by default it repeats the last user message. */
  replyWith(reply: (request: ScriptedRequest) => Reply): void {
    this.replyTo = reply;
  }

  /** Scripts the next chat request; several are used up in order. */
  next(behaviour: Behaviour): void {
    this.queue.push(behaviour);
  }

  /** Scripts every request from now on that has no behaviour of its own; null: answered again. */
  always(behaviour: Behaviour | null): void {
    this.standing = behaviour;
  }

  /**
   * Sets the models it lists and serves from now on, in the form its API lists them; null: no list, and every model is served.
   * A model that is not listed is refused as the real hosts refuse it.
   */
  offer(models: readonly ScriptedOffer[] | null): void {
    this.offered = models;
  }

  /** Forgets script, requests, offers and counts. */
  reset(): void {
    this.requests.length = 0;
    this.refusals.length = 0;
    this.queue.length = 0;
    this.standing = null;
    this.offered = null;
    Object.assign(this.tokens, { prompt: 0, completion: 0 });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.offered && incoming.method === 'GET') {
      const list = modelList(incoming.url ?? '/', incoming.headers, this.offered);
      if (list) {
        sendJson(response, 200, list);
        return;
      }
    }
    let request: ScriptedRequest | null;
    try {
      const body: unknown = JSON.parse((await text(incoming)) || '{}');
      request = readScriptedRequest({ path: incoming.url ?? '/', headers: incoming.headers, body });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unreadable';
      const { error: word } = APIS[apiOfPath(incoming.url ?? '/') ?? 'openai'];
      this.refusals.push(message);
      sendJson(response, 400, word(400, message, 'invalid_request_error'));
      return;
    }
    if (!request) {
      sendJson(response, 404, APIS.openai.error(404, 'no such path', 'not_found'));
      return;
    }
    if (!this.isAllowed(request)) {
      const body = APIS[request.api].error(401, 'Incorrect API key provided', 'invalid_api_key');
      sendJson(response, 401, body);
      return;
    }
    this.requests.push(request);
    const { api, model } = request;
    if (this.offered && !this.offered.some(({ id }) => id === model)) {
      const message = `The model \`${model}\` does not exist or you do not have access to it.`;
      sendJson(response, 404, APIS[api].error(404, message, 'model_not_found'));
      return;
    }
    const behaviour = (request.kind === 'chat' ? this.queue.shift() : undefined) ?? this.standing;
    await this.meet(request, behaviour, response);
  }

  private isAllowed({ headers }: ScriptedRequest): boolean {
    if (this.apiKey === undefined) return true;
    const given = [headers['x-goog-api-key'], headers['x-api-key'], headers.authorization];
    return given.includes(this.apiKey) || given.includes(`Bearer ${this.apiKey}`);
  }

  private async meet(
    request: ScriptedRequest,
    behaviour: Behaviour | null,
    response: ServerResponse,
  ): Promise<void> {
    const { api } = request;
    switch (behaviour?.kind) {
      case 'hang':
        return;
      case 'status': {
        const { status, headers, body, isKeptAlive = false } = behaviour;
        const told = body ?? APIS[api].error(status, `scripted ${status}`, 'scripted_error');
        if (isKeptAlive) await keepAlive(response, status, headers);
        sendJson(response, status, told, headers);
        return;
      }
      case 'rate-limit': {
        const { headers, body } = rateLimit(api, behaviour.retryAfterSeconds);
        sendJson(response, 429, body, headers);
        return;
      }
      case 'spend-limit': {
        const { status, body } = spendLimit(api);
        sendJson(response, status, body);
        return;
      }
      default:
        break;
    }
    if (request.kind === 'embedding') {
      sendJson(response, 200, embeddingAnswer(request));
      return;
    }
    const spoken = this.speak(request, behaviour);
    const tokens = countTokens(request, spoken.pieces);
    this.tokens.prompt += tokens.prompt;
    this.tokens.completion += tokens.completion;
    await deliver(request, APIS[api].answer(request, spoken, tokens), behaviour, response);
  }

  private speak(request: ScriptedRequest, behaviour: Behaviour | null): Spoken {
    if (behaviour?.kind === 'empty') return spokenOf('');
    if (behaviour?.kind === 'huge') return hugeReply(behaviour.characters);
    return spokenOf(behaviour?.kind === 'reply' ? behaviour.reply : this.replyTo(request));
  }
}

/** Counts four characters a token: no tokenizer's count, but the same every time. */
function countTokens({ messages }: ScriptedRequest, pieces: string[]): TokenCount {
  const prompt = messages.reduce((sum, message) => sum + Math.ceil(message.text.length / 4), 0);
  return { prompt, completion: Math.ceil(pieces.join('').length / 4) };
}
