import { ChatEvent, Problem, type ChatRequest } from '@kith/contracts';
import { z } from 'zod';
import { CliError } from '../cli-error.js';
import { SseParser } from './sse-parser.js';

export type Query = Record<string, string | number | undefined>;

/** No answer, or one that broke off. What was accepted is safe: the same message id asks for its reply again. */
export class ConnectionLost extends CliError {}

/** A part of Kith is down, and the rest may do without it. */
export class PartDown extends CliError {}

const TIMEOUT_MS = 30_000;

/** The suite's public API. Everything it throws is a `CliError` that says what to do. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly key: string | undefined,
  ) {}

  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    query: Query = {},
  ): Promise<z.output<Schema>> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    const response = await this.#fetch('GET', search.size > 0 ? `${path}?${search}` : path);
    return this.#read(response, schema);
  }

  /** An answer that is no JSON, as it is. */
  async getFile(path: string): Promise<Buffer> {
    const response = await this.#fetch('GET', path);
    return Buffer.from(await response.arrayBuffer());
  }

  async send<Schema extends z.ZodType>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    return this.#read(await this.#fetch(method, path, body), schema);
  }

  async remove(path: string): Promise<void> {
    await this.#fetch('DELETE', path);
  }

  /**
   * Sends a message and yields its turn's events as they come.
   * @throws ConnectionLost when the stream ends before `done` or `error`
   */
  async *chat(request: z.input<typeof ChatRequest>, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const response = await this.#fetch('POST', '/v1/chat', { ...request, stream: true }, signal);
    const parser = new SseParser();
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body ?? []) {
        for (const { data } of parser.push(decoder.decode(bytes as Uint8Array, { stream: true }))) {
          const event = this.#parse(ChatEvent, data);
          yield event;
          if (event.type === 'done' || event.type === 'error') return;
        }
      }
    } catch (error) {
      if (error instanceof CliError || signal.aborted) throw error;
      throw new ConnectionLost('the connection broke off before the reply', 1, { cause: error });
    }
    throw new ConnectionLost('the connection ended before the reply');
  }

  async #fetch(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.url + path, {
        method,
        headers: {
          ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!URL.canParse(this.url))
        throw new CliError(
          `"${this.url}" is no address: set KITH_URL or --url to one such as http://127.0.0.1:3000`,
          2,
        );
      throw new ConnectionLost(
        `nothing answers at ${this.url}: start Kith with ./scripts/up, or set KITH_URL`,
        1,
        {
          cause: error,
        },
      );
    }
    if (response.ok) return response;
    const problem = await readProblem(response);
    const message = explain(response.status, problem, this);
    throw problem?.code === 'unavailable' ? new PartDown(message) : new CliError(message);
  }

  async #read<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.output<Schema>> {
    return this.#parse(schema, await response.text());
  }

  #parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw new CliError(
        `what ${this.url} answers is not what this kith understands: check KITH_URL, and build again (npm run build)`,
        1,
        { cause },
      );
    }
  }

  get hasKey(): boolean {
    return this.key !== undefined;
  }

  get address(): string {
    return this.url;
  }
}

async function readProblem(response: Response): Promise<Problem | null> {
  const body: unknown = await response.json().catch(() => null);
  return Problem.safeParse(body).data ?? null;
}

function explain(status: number, problem: Problem | null, api: ApiClient): string {
  if (!problem) return `${api.address} answered ${status} and is not Kith: check KITH_URL or --url`;
  switch (problem.code) {
    case 'unauthorized':
      return api.hasKey
        ? `the key was refused (${problem.detail}): set KITH_KEY or --key to a valid one; kith keys create makes them`
        : 'no key is set: run ./scripts/up, which writes KITH_KEY to .env, or give --key';
    case 'forbidden':
      return `${problem.detail}: use a key that has it (kith keys create --scope …)`;
    case 'unavailable':
      return `${problem.detail} (kith doctor shows what is down)`;
    case 'internal':
      return `something went wrong in Kith: look for ${problem.correlationId ?? 'the error'} in ./scripts/logs`;
    default: {
      const untold = problem.errors?.filter(({ message }) => !problem.detail.includes(message)) ?? [];
      const fields = untold.map(({ field, message }) => `${field}: ${message}`).join('; ');
      return fields ? `${problem.detail} (${fields})` : problem.detail;
    }
  }
}
