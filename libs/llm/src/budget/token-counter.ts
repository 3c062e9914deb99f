import { countOnce, estimateTokens, type CountTokens } from '../estimate-tokens.js';
import type { ModelCard } from './model-card.js';

/** Weight of the newest report: a conversation's language shows within some five turns, and one odd turn is no rule. */
const LEARNING_RATE = 0.2;
/** Bounds of a correction: beyond them a host counts something else than the prompt. */
const MIN_FACTOR = 0.7;
const MAX_FACTOR = 1.8;
/** Prompts below it consist of a host's own additions as much as of ours. */
const MIN_REPORT = 200;
/** Models whose corrections are kept: more than any chain has. */
const MAX_MODELS = 100;
/** Characters counted at once: the encoder's time grows with the square of an unbroken run. */
const PIECE_CHARACTERS = 400;

/**
 * Counts tokens for models: by an estimate that is corrected with what the hosts report, or by the model's vocabulary,
 * which is loaded when it is first asked for. Nobody waits for it: it takes a quarter of a second and 70 MB.
 */
export class TokenCounter {
  private readonly factors = new Map<string, number>();
  private encode: CountTokens | null = null;
  private loading: Promise<void> | null = null;

  /** Learns from a host's own count of a prompt. */
  note(model: string, estimated: number, reported: number): void {
    if (estimated < MIN_REPORT || reported <= 0) return;
    if (!this.factors.has(model) && this.factors.size >= MAX_MODELS) return;
    const seen = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, reported / estimated));
    const before = this.factorOf(model);
    this.factors.set(model, before + (seen - before) * LEARNING_RATE);
  }

  /** Counts by the corrected estimate: some microseconds a kilobyte. */
  quick(model: string): CountTokens {
    const safetyFactor = this.factorOf(model);
    return (text, of) => estimateTokens(text, { safetyFactor, of });
  }

  /** Tells how many of a model's own tokens one of the uncorrected estimate is. */
  factorOf(model: string): number {
    return this.factors.get(model) ?? 1;
  }

  /** Counts by the model's vocabulary; null where it has none here, or it is not loaded yet, which then begins. */
  exact({ vocabulary }: Pick<ModelCard, 'vocabulary'>): CountTokens | null {
    if (vocabulary === null) return null;
    if (this.encode === null) void this.load();
    return this.encode;
  }

  /** Loads the vocabulary. Never throws: without it tokens are estimated. */
  load(): Promise<void> {
    this.loading ??= import('gpt-tokenizer/encoding/o200k_base').then(
      ({ countTokens }) => {
        this.encode = countOnce((text) =>
          countInPieces(text, (piece) => countTokens(piece, { disallowedSpecial: new Set() })),
        );
      },
      () => undefined,
    );
    return this.loading;
  }
}

function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0;
  for (let from = 0; from < text.length; from += PIECE_CHARACTERS) {
    tokens += count(text.slice(from, from + PIECE_CHARACTERS));
  }
  return tokens;
}
