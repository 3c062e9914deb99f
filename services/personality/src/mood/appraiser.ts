import { ModelChainError } from '@kith/llm';
import type { Logger } from 'pino';
import type { Appraisal } from './appraisal.js';
import { type AskForReading, appraisalPrompt } from './appraise-by-model.js';
import { appraiseByRules } from './appraise-by-rules.js';

/** A turn as read, and by which of the two. */
interface Reading {
  appraiser: 'model' | 'rules';
  appraisals: Appraisal[];
}

/** Appraises by the fast model where there is one, and by rules where there is none or it fails. */
export class Appraiser {
  constructor(
    private readonly askModel: AskForReading | null,
    private readonly logger: Logger,
  ) {}

  async read(texts: readonly string[], companionName: string): Promise<Reading> {
    if (this.askModel) {
      try {
        const { events } = await this.askModel(appraisalPrompt(companionName, texts));
        return { appraiser: 'model', appraisals: events };
      } catch (error) {
        this.logger.warn({ reason: reasonOf(error) }, 'the fast model did not appraise; by rules instead');
      }
    }
    return { appraiser: 'rules', appraisals: appraiseByRules(texts, companionName) };
  }
}

/** Why, without the message of an error that may quote what was said. */
function reasonOf(error: unknown): string {
  if (error instanceof ModelChainError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
