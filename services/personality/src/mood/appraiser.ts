import type { Logger } from 'pino';
import type { Appraisal } from './appraisal.js';
import { appraisalPrompt, type ModelReading } from './appraise-by-model.js';
import { appraiseByRules } from './appraise-by-rules.js';

/** A turn as read, and by which of the two. */
export interface Reading {
  appraiser: 'model' | 'rules';
  appraisals: Appraisal[];
}

/** Asks the fast model; throws when it can't answer, or not in the form asked for. */
export type AskForReading = (prompt: { system: string; user: string }) => Promise<ModelReading>;

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
        this.logger.warn({ err: error }, 'the fast model did not appraise; by rules instead');
      }
    }
    return { appraiser: 'rules', appraisals: appraiseByRules(texts, companionName) };
  }
}
