import { ModelChainError } from '@kith/llm';
import type { Logger } from 'pino';
import type { Appraisal } from './appraisal.js';
import { type AskForReadings, appraisalPrompt, appraisalSystem, planCalls } from './appraise-by-model.js';
import { appraiseByRules } from './appraise-by-rules.js';
import { ReadingCache } from './reading-cache.js';

/** A turn as read, and by which of the two. */
export interface Reading {
  appraiser: 'model' | 'rules';
  appraisals: readonly Appraisal[];
}

/** Who is spoken to. */
interface Addressed {
  id: string;
  name: string;
}

/** What was said in one turn, in its order. */
type Said = readonly string[];

/**
 * Appraises by the fast model where there is one, many turns with one call, and by rules where there is none
 * or it fails. What the model once read of the same words it is not asked again.
 */
export class Appraiser {
  readonly #cache = new ReadingCache();

  constructor(
    private readonly askModel: AskForReadings | null,
    private readonly logger: Logger,
  ) {}

  /** A reading of each turn, in their order. What the model could not read of them is read by rules. */
  async read(turns: readonly Said[], companion: Addressed): Promise<Reading[]> {
    const byModel = this.askModel ? await this.#readByModel(this.askModel, turns, companion) : [];
    return turns.map((texts, place) => {
      const appraisals = byModel[place];
      return appraisals
        ? { appraiser: 'model', appraisals }
        : { appraiser: 'rules', appraisals: appraiseByRules(texts, companion.name) };
    });
  }

  /** What the model reads of each turn, now or before; undefined where it does not. */
  async #readByModel(ask: AskForReadings, turns: readonly Said[], { id, name }: Addressed) {
    const instructions = appraisalSystem(name);
    const keys = turns.map((texts) => this.#cache.keyOf(id, instructions, texts));
    const known = new Map(keys.map((key) => [key, this.#cache.get(key)]));
    // The same words twice in a batch are asked for once.
    const unread = () =>
      [...new Map(keys.map((key, place) => [key, turns[place] ?? []]))].filter(([key]) => !known.get(key));
    const keep = (key: string, events: readonly Appraisal[]) => {
      known.set(key, events);
      this.#cache.set(key, events);
    };
    const isAnswered = await this.#ask(ask, unread(), name, keep);
    // What came back missing, or in another form, is asked for once more, by itself.
    if (isAnswered) await this.#ask(ask, unread(), name, keep);
    return keys.map((key) => known.get(key));
  }

  /** Asks about these turns and hands on what is read; false when there was a call without an answer. */
  async #ask(
    ask: AskForReadings,
    unread: readonly (readonly [key: string, texts: Said])[],
    name: string,
    keep: (key: string, events: readonly Appraisal[]) => void,
  ): Promise<boolean> {
    let isAnswered = true;
    for (const places of planCalls(unread.map(([, texts]) => texts))) {
      const call = places.map((place) => unread[place]).filter((turn) => turn !== undefined);
      const said = call.map(([, texts]) => texts);
      try {
        const { turns } = await ask(appraisalPrompt(name, said), said.length);
        call.forEach(([key], index) => {
          const found = turns.find((turn) => turn?.turn === index + 1);
          if (found) keep(key, found.events);
        });
      } catch (error) {
        isAnswered = false;
        this.logger.warn(
          { reason: reasonOf(error), turns: said.length },
          'the fast model did not appraise; by rules instead',
        );
        // With no model there, each further call would only wait for it in vain.
        if (error instanceof ModelChainError) break;
      }
    }
    return isAnswered;
  }
}

/** Why, without the message of an error that may quote what was said. */
function reasonOf(error: unknown): string {
  if (error instanceof ModelChainError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
