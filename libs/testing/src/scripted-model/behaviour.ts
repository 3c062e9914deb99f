import type { ReplyToolCall, Spoken } from './apis/scripted-api.js';

/** Text of the model. */
export type Reply =
  | string
  | {
      text?: string;
      toolCalls?: readonly ReplyToolCall[];
      /** True where it came to the most tokens that were asked for, in the middle of its calls. */
      isCut?: boolean;
      /** Steps of its reasoning, which come before the text. */
      reasoning?: readonly string[];
      /** True where it will not answer, or its host's filter will not let it. */
      isRefused?: boolean;
    };

/** Behaviour towards a request. Where nothing is scripted, it is answered. */
export type Behaviour =
  | { kind: 'reply'; reply: Reply }
  /** Any status; without `body` one in the manner of the API that was called. `isKeptAlive`: blank lines come first. */
  | {
      kind: 'status';
      status: number;
      body?: unknown;
      headers?: Record<string, string>;
      isKeptAlive?: boolean;
    }
  /** 429 that says when to come back. */
  | { kind: 'rate-limit'; retryAfterSeconds: number }
  /** 429 because the money is used up: no retry-after. */
  | { kind: 'spend-limit' }
  /** Takes the request and never says a byte. */
  | { kind: 'hang' }
  /** `thoughtMs`: pause after each event that comes before the words. */
  | { kind: 'slow'; firstByteMs?: number; thoughtMs?: number; pieceMs?: number }
  /** Answers 200, sends this many pieces, then the socket dies. A whole answer dies half-way. */
  | { kind: 'cut'; afterPieces?: number }
  /** Answers 200, sends this many pieces, then an error as the API words it. */
  | { kind: 'error-after-200'; afterPieces?: number; code?: string }
  /** A well-formed answer that says nothing. */
  | { kind: 'empty' }
  /** JSON that stops in the middle, and a proper end of the response. */
  | { kind: 'truncated-json' }
  /** Text that is no UTF-8. */
  | { kind: 'garbage' }
  /** Answers with so many characters, in large pieces. */
  | { kind: 'huge'; characters: number };

export function spokenOf(reply: Reply): Spoken {
  const { text = '', toolCalls = [], ...rest } = typeof reply === 'string' ? { text: reply } : reply;
  const pieces = text === '' ? [] : text.split(/(?<=\S)(?=\s)/);
  return { isCut: false, isRefused: false, reasoning: [], ...rest, pieces, toolCalls };
}

const HUGE_PIECE = 65_536;

export function hugeReply(characters: number): Spoken {
  const pieces = Array.from({ length: Math.ceil(characters / HUGE_PIECE) }, (_, index) =>
    'lorem '.repeat(HUGE_PIECE / 6 + 1).slice(0, Math.min(HUGE_PIECE, characters - index * HUGE_PIECE)),
  );
  return { ...spokenOf(''), pieces };
}
