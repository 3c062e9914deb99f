/** A call the model wants made, with its arguments as the model wrote them (JSON text). */
export interface ToolCall {
  id: string;
  name: string;
  argumentsJson: string;
}

/**
 * One message of an explicit conversation. Providers are stateless: the list is the only history, and a
 * renderer per provider turns it into that provider's own format.
 */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; name?: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; name: string; content: string };

/** A tool as the model is told of it. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  messages: ChatMessage[];
  /** Bound of the answer's length, in tokens. */
  maxTokens: number;
  tools?: ToolDefinition[];
  /** 0 is the most likely wording; providers' own default when left out. */
  temperature?: number;
  /** Asks for a JSON object, where the provider can be held to it. */
  json?: boolean;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

/** What a provider says, piece by piece. `end` comes last, once; without it the stream was cut. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'end'; finishReason: 'stop' | 'length' | 'tool-calls' | 'filtered'; usage: TokenUsage | null };

/** One model at one host. */
export interface ModelProvider {
  /** As usage and traces name it, such as `groq:llama-3.1-8b-instant`. */
  readonly name: string;
  /** Streams an answer. Throws whatever its SDK throws; `classifyError` says what it means. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
