import { type CompanionView, present, reasonOf } from '@kith/contracts';
import { ModelChainError } from '@kith/llm';
import { ReaderEnded } from '@kith/reading';
import type { Logger } from 'pino';
import type { AskForReadings } from './appraise-by-model.js';
import type { appraiseByRules } from './english/appraise-by-rules.js';
import { appraisalPrompt, appraisalSystem, type SaidTurn, planCalls } from './appraisal-prompt.js';
import type { ReadEvent } from '../affect/prospect.js';
import { hash } from 'node:crypto';

/** A turn as read, and by whom. */
export interface TurnAppraisal {
  appraiser: 'model' | 'rules';
  appraisals: readonly ReadEvent[];
}

/** The companion that is spoken to. */
type AddressedCompanion = Pick<CompanionView, 'id' | 'name'>;

/** Reads a turn by rules. Throws `ReaderEnded` for one that can't be read to its end. */
export type AppraiseByRules = (...turn: Required<Parameters<typeof appraiseByRules>>) => Promise<ReadEvent[]>;

/** A turn that the model is asked about, under its key in the cache. */
type KeyedTurn = SaidTurn & { key: string };

/**
 * Appraises by the fast model where there is one, many turns with one call, and by rules where there is none
 * or it fails. The model is not asked again about words that it has read before,
 * unless they told of something ahead.
 */
export class Appraiser {
  private readonly cache = new ReadingCache();

  constructor(
    private readonly askModel: AskForReadings | null,
    private readonly rules: AppraiseByRules,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns a reading of each turn, in their order. Turns that the model could not read go to rules; null for one that
   * ended its reader there.
   */
  async read(turns: readonly SaidTurn[], companion: AddressedCompanion): Promise<(TurnAppraisal | null)[]> {
    const byModel = this.askModel ? await this.readByModel(this.askModel, turns, companion) : [];
    return Promise.all(
      turns.map(async (turn, place): Promise<TurnAppraisal | null> => {
        const appraisals = byModel[place];
        return appraisals ? { appraiser: 'model', appraisals } : this.readByRules(turn, companion.name);
      }),
    );
  }

  private async readByRules({ texts, ahead }: SaidTurn, name: string): Promise<TurnAppraisal | null> {
    try {
      return { appraiser: 'rules', appraisals: await this.rules(texts, name, ahead) };
    } catch (error) {
      if (error instanceof ReaderEnded) return null;
      throw error;
    }
  }

  /** Returns the model's reading of each turn, new or cached; undefined where there is none. */
  private async readByModel(
    ask: AskForReadings,
    turns: readonly SaidTurn[],
    { id, name }: AddressedCompanion,
  ) {
    const instructions = appraisalSystem(name);
    const told = turns.map((turn): KeyedTurn => {
      // The same words mean something else where other things lay ahead.
      const ahead = turn.ahead.open.map(({ kind, about }) => `${kind}: ${about}`);
      return { ...turn, key: this.cache.keyOf(id, instructions, turn.texts, ahead) };
    });
    const known = new Map(told.map(({ key }) => [key, this.cache.get(key)]));
    // The same words twice in a batch are asked for once.
    const unread = () =>
      [...new Map(told.map((turn) => [turn.key, turn])).values()].filter(({ key }) => !known.get(key));
    const keep = (key: string, events: readonly ReadEvent[]) => {
      known.set(key, events);
      this.cache.set(key, events);
    };
    const isAnswered = await this.ask(ask, unread(), name, keep);
    // Turns missing from the answer, or in another form, are asked for once more, by themselves.
    if (isAnswered) await this.ask(ask, unread(), name, keep);
    return told.map(({ key }) => known.get(key));
  }

  /** Asks about these turns and keeps what is read. Returns false when a call went without an answer. */
  private async ask(
    ask: AskForReadings,
    unread: readonly KeyedTurn[],
    name: string,
    keep: (key: string, events: readonly ReadEvent[]) => void,
  ): Promise<boolean> {
    let isAnswered = true;
    const shown = unread.map(({ texts, ahead }) => [...ahead.open.map(({ about }) => about), ...texts]);
    for (const places of planCalls(shown)) {
      const call = places.map((place) => present(unread[place]));
      try {
        const [personId, ...others] = new Set(call.map((turn) => turn.personId));
        const account = personId !== undefined && others.length === 0 ? { personId } : {};
        const { turns } = await ask(appraisalPrompt(name, call), call.length, account);
        call.forEach(({ key }, index) => {
          const found = turns.find((turn) => turn?.turn === index + 1);
          if (found) keep(key, found.events);
        });
      } catch (error) {
        isAnswered = false;
        this.logger.warn(
          { reason: reasonOf(error), turns: call.length },
          'fast model failed to appraise; turns are read by rules instead',
        );
        // Without a model, each further call would only wait in vain.
        if (error instanceof ModelChainError) break;
      }
    }
    return isAnswered;
  }
}

/** Greetings, thanks and the like come again and again; a few thousand of them take about a megabyte. */
const MAX_READINGS = 4_000;

/**
 * Cache of the model's readings; the least recently used go first. Holds no words, as nobody would forget them here: its
 * keys are digests, and a reading with the words of a hope or fear is not kept. Lasts as long as the process.
 */
export class ReadingCache {
  private readonly readings = new Map<string, readonly ReadEvent[]>();

  constructor(private readonly limit = MAX_READINGS) {}

  /** Builds a key that changes with the companion, the instructions, the words said and the prospects. */
  keyOf(companionId: string, instructions: string, ...said: (readonly string[])[]): string {
    return hash('sha256', JSON.stringify([companionId, instructions, ...said]), 'base64');
  }

  get(key: string): readonly ReadEvent[] | undefined {
    const reading = this.readings.get(key);
    if (reading) this.set(key, reading);
    return reading;
  }

  set(key: string, reading: readonly ReadEvent[]): void {
    if (reading.some(({ about }) => about !== undefined)) return;
    this.readings.delete(key);
    this.readings.set(key, reading);
    const [oldest] = this.readings.keys();
    if (this.readings.size > this.limit && oldest !== undefined) this.readings.delete(oldest);
  }
}
