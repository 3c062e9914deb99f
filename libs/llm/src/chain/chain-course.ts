import { MIN_TRY_MS } from '../errors/decide-retry.js';
import type { ModelTry } from '../errors/model-error.js';

export interface ChainLimits {
  tryTimeoutMs: number;
  firstTokenTimeoutMs: number;
  budgetMs: number;
  /** Tries of all models together. */
  maxTries: number;
  /** Tokens of all tries together, prompts and answers, as far as they are known. */
  maxTokens: number;
}

/** Course of one request through a chain of models. */
export class ChainCourse {
  /** All tries so far, in order. */
  readonly tries: ModelTry[] = [];
  /** Last failure. */
  cause: unknown;
  /** True while text stands of a try that has not ended. */
  hasText = false;
  /** Tries that were begun. */
  asked = 0;
  /** Tokens of all tries, prompts and answers. */
  spentTokens = 0;
  private readonly started = performance.now();

  constructor(private readonly limits: ChainLimits) {}

  get elapsedMs(): number {
    return performance.now() - this.started;
  }

  get triesLeft(): number {
    return this.limits.maxTries - this.asked;
  }

  /** True while time, tries and tokens are left for another try. */
  get hasBudget(): boolean {
    const { budgetMs, maxTokens } = this.limits;
    return this.elapsedMs + MIN_TRY_MS <= budgetMs && this.triesLeft > 0 && this.spentTokens < maxTokens;
  }

  /** Times that the next try has. */
  get deadlines(): { totalMs: number; firstTokenMs: number } {
    const { tryTimeoutMs, budgetMs, firstTokenTimeoutMs } = this.limits;
    const totalMs = Math.min(tryTimeoutMs, budgetMs - this.elapsedMs);
    return { totalMs, firstTokenMs: Math.min(firstTokenTimeoutMs, totalMs) };
  }
}
