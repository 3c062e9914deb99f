import { ModelChainError, type ChatMessage, type ModelRole } from '@kith/llm';
import { step } from '@kith/service-host';

export interface Thought {
  /** Null when no model could be had: the apology is due. */
  text: string | null;
  model: string | null;
  usage: { model: string; promptTokens: number; completionTokens: number } | null;
  /** Why there is no text. */
  problem: string | null;
  tries: readonly unknown[];
  firstTokenMs: number | null;
}

export interface TokenListener {
  onToken(text: string): void;
  onRestart(): void;
}

/** Longer replies are cut: no door shows more. */
const MAX_REPLY_CHARACTERS = 8_000;
/** Tokens after the first go out in bundles, so that a fast model does not become a thousand broadcasts. */
const BUNDLE_MS = 25;

/**
 * Lets the chain of a role answer, telling tokens as they come. Never throws for a model's sake.
 * @throws what `signal` was aborted with, and stops asking
 */
export async function think(
  role: ModelRole,
  messages: ChatMessage[],
  maxTokens: number,
  signal: AbortSignal,
  listener: TokenListener,
): Promise<Thought> {
  const started = performance.now();
  let firstTokenMs: number | null = null;
  const bundle = bundleTokens((tokens) => listener.onToken(tokens));
  try {
    for await (const event of role.stream({ messages, maxTokens, signal })) {
      if (event.type === 'text') {
        if (firstTokenMs === null) step('streaming');
        firstTokenMs ??= Math.round(performance.now() - started);
        bundle.add(event.text);
      } else if (event.type === 'restart') {
        bundle.drop();
        listener.onRestart();
      } else {
        bundle.flush();
        const { text, model, usage, tries } = event.result;
        // Postgres keeps no NUL: one stray byte of a model must not cost the whole turn.
        const reply = text.replaceAll('\0', '').trim().slice(0, MAX_REPLY_CHARACTERS);
        const { promptTokens, completionTokens } = usage;
        return {
          text: reply,
          model,
          usage: { model, promptTokens, completionTokens },
          problem: null,
          tries,
          firstTokenMs,
        };
      }
    }
    throw new Error('a model stream ended without its end');
  } catch (error) {
    if (!(error instanceof ModelChainError)) throw error;
    return { text: null, model: null, usage: null, problem: error.message, tries: error.tries, firstTokenMs };
  }
}

function bundleTokens(send: (text: string) => void) {
  let waiting = '';
  let lastSent = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (!waiting) return;
    send(waiting);
    waiting = '';
    lastSent = performance.now();
  };
  return {
    add(text: string) {
      waiting += text;
      if (performance.now() - lastSent >= BUNDLE_MS) flush();
    },
    flush,
    drop() {
      waiting = '';
    },
  };
}
