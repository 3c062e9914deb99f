import { setTimeout as sleep } from 'node:timers/promises';
import { ModelChainError, ModelError, type ModelErrorKind, type ModelTry } from '../errors/model-error.js';
import { estimatePrompt } from '../estimate-prompt.js';
import { hasPictures } from '../pictures.js';
import type { ModelCards } from '../budget/model-cards.js';
import type { CallHooks } from '../hooks/call-hooks.js';
import type { CallResponse } from '../hooks/model-call.js';
import type { ModelProvider, ModelRequest, TokenCounts } from '../provider.js';
import { afterFailure, CLOSED, mayAsk, SPEECHLESS, whileProbing, type Circuit } from './circuit-breaker.js';
import { decideRetry } from '../errors/decide-retry.js';
import type { CallWatch } from './call-watch.js';
import { ChainCourse, type ChainLimits } from './chain-course.js';
import { probeModels } from './probe-models.js';
import { RefusedParts } from './refused-parts.js';
import { labelOf, runTry, type ChainEntry, type TryReply } from './run-try.js';
import { testModel, type ModelTest } from './test-model.js';

/** A place in a chain. */
export interface ChainSlot {
  provider: ModelProvider;
  /** The model in this place now: a default may be chosen anew while the process runs. */
  modelNow: () => string;
  /** False for a model that the settings name, which is never exchanged. */
  isDefault: boolean;
}

export interface RoleReply extends TryReply {
  /** The model that answered, as `provider:model`; `rehearsal` is the offline stand-in. */
  model: string;
  /** All tries, in order; the last one answered. */
  tries: ModelTry[];
}

export type RoleEvent =
  | { type: 'text'; text: string }
  /** The text so far does not count any more: its stream broke and another try begins, or it was thoughts. */
  | { type: 'restart' }
  /** The last event. */
  | { type: 'end'; result: RoleReply };

export interface ModelStatus {
  model: string;
  /** False while it is not asked, because it failed too often. */
  isTrusted: boolean;
  lastError: ModelErrorKind | null;
  /** False for a model that the settings name. */
  isDefault: boolean;
}

/** Role of a model, with the models that fill it, in order of preference. */
export type ModelRole = Pick<ModelChain, keyof ModelChain>;

/** Longest wait for another default model to be chosen, for which the host is asked for its list. */
const REPLACE_MS = 4_000;

/** Parts that the roles of a process share. */
export interface RoleParts {
  /** Called with a default model that its host no longer serves; ends once another was chosen. */
  onGone: ((label: string) => Promise<void>) | undefined;
  /** Tells which models see pictures and what they cost; its counter learns from what hosts count. */
  cards: ModelCards;
  hooks: CallHooks;
}

/** A role and the chain of models that fills it, which must not be empty. */
export class ModelChain {
  private readonly circuits = new Map<string, Circuit>();
  private readonly refused: RefusedParts;
  private readonly watch: CallWatch;

  constructor(
    readonly name: string,
    private readonly slots: readonly ChainSlot[],
    private readonly limits: ChainLimits,
    private readonly parts: RoleParts,
  ) {
    const { hooks, cards } = parts;
    this.watch = { role: name, hooks, cards };
    this.refused = new RefusedParts(cards);
  }

  /** As `provider:model`, and plain `rehearsal`. A default may change while the process runs. */
  get models(): string[] {
    return this.entries().map(labelOf);
  }

  /** Health of each model, by its last tries. */
  status(): ModelStatus[] {
    return this.slots.map((slot) => {
      const model = labelOf(entryOf(slot));
      const { openUntil, lastError } = this.circuitOf(model);
      return { model, isTrusted: openUntil === null, lastError, isDefault: slot.isDefault };
    });
  }

  /**
   * Sends a short request to those that failed last, unless it is too soon; returns the state of all.
   * @throws ModelChainError when none is well
   */
  async probe(): Promise<ModelStatus[]> {
    await probeModels(this.entries(), this.circuits, this.watch);
    const found = this.status();
    const tries = found.flatMap(({ model, lastError }) =>
      lastError === null ? [] : [{ model, kind: lastError, tookMs: 0 }],
    );
    if (tries.length < found.length) return found;
    throw new ModelChainError(this.name, tries);
  }

  /** Sends each model, or only the one of this name, three small requests. Costs a few hundred tokens a model. */
  async test(only?: string): Promise<ModelTest[]> {
    const tests: ModelTest[] = [];
    for (const entry of this.entries()) {
      // One after the other, so that each is timed alone.
      if (only === undefined || labelOf(entry) === only) tests.push(await testModel(entry, this.watch));
    }
    return tests;
  }

  /** @throws ModelChainError when no model answers, and the signal's reason when it is aborted */
  async complete(request: ModelRequest): Promise<RoleReply> {
    for await (const event of this.stream(request)) if (event.type === 'end') return event.result;
    throw new Error('a chain ends with a reply or an error');
  }

  /** Streams the answer as it is written. */
  async *stream(request: ModelRequest): AsyncGenerator<RoleEvent, void> {
    const course = new ChainCourse(this.limits);
    for (const [position, slot] of this.slots.entries()) {
      const isAnswered = yield* this.askPlace(slot, position, request, course);
      if (isAnswered) return;
    }
    throw new ModelChainError(this.name, course.tries, { cause: course.cause });
  }

  /** Asks the model in one place as often as that may help. Returns whether it answered. */
  private async *askPlace(
    slot: ChainSlot,
    position: number,
    request: ModelRequest,
    course: ChainCourse,
  ): AsyncGenerator<RoleEvent, boolean> {
    let entry = entryOf(slot);
    const model = labelOf(entry);
    if (mayAsk(this.circuitOf(model), performance.now()) === 'no') {
      course.tries.push({ model, kind: 'circuit-open', tookMs: 0 });
      return false;
    }
    const hasNext = position < this.slots.length - 1;
    let asked = this.refused.without(model, request);
    for (let triesHere = 1; course.hasBudget; triesHere++) {
      const failure = yield* this.tryOnce(entry, asked, hasNext, course);
      if (failure === null) return true;
      const lesser = this.refused.lesser(asked, model, failure, course.tries);
      if (lesser) {
        asked = lesser;
        continue;
      }
      const replacement = failure.kind === 'no-such-model' ? await this.replaced(slot, entry) : null;
      if (replacement) {
        entry = replacement;
        triesHere = 0;
        continue;
      }
      const decision = decideRetry({
        kind: failure.kind,
        tries: triesHere,
        elapsedMs: course.elapsedMs,
        budgetMs: this.limits.budgetMs,
        retryAfterMs: failure.retryAfterMs,
        hasNext,
        random: Math.random(),
      });
      const others = this.askableAfter(position);
      if (decision.action === 'next' && others === 0 && failure.kind === 'garbled' && asked.tools?.length) {
        // It writes calls that nobody can read: its words may do.
        asked = { ...asked, tools: [] };
        continue;
      }
      // One that may be well has the tries that are left, before one that has failed just now.
      const isLeftToOthers = course.triesLeft <= others;
      if (decision.action === 'next' || isLeftToOthers) return false;
      await pause(decision.waitMs, request.signal);
    }
    return false;
  }

  /** Asks a model once. Returns its failure, or null once it has answered. */
  private async *tryOnce(
    entry: ChainEntry,
    request: ModelRequest,
    hasNext: boolean,
    course: ChainCourse,
  ): AsyncGenerator<RoleEvent, ModelError | null> {
    const { circuits, limits } = this;
    course.asked += 1;
    if (course.hasText) {
      course.hasText = false;
      yield { type: 'restart' };
    }
    const model = labelOf(entry);
    const started = performance.now();
    const former = this.circuitOf(model);
    const isProbe = mayAsk(former, started) === 'probe';
    const probing = isProbe ? whileProbing(former, started, limits.firstTokenTimeoutMs) : undefined;
    if (probing) circuits.set(model, probing);
    let hasBegun = false;
    let cost: number | null = null;
    const record = (kind: ModelTry['kind']) => {
      const tookMs = Math.round(performance.now() - started);
      course.tries.push({ model, kind, tookMs, ...(cost !== null && { cost }) });
    };
    const onEnd = ({ cost: known, usage }: CallResponse) => {
      cost = known;
      course.spentTokens += usage.promptTokens + usage.completionTokens;
    };
    try {
      for await (const event of runTry(entry, request, course.deadlines, this.watch, onEnd)) {
        if (event.type === 'began') hasBegun = true;
        else if (event.type === 'reply') {
          record('answered');
          if (!event.reply.usageIsEstimated) this.noteCount(entry, request, event.reply.usage);
          circuits.delete(model);
          yield { type: 'end', result: { ...event.reply, model, tries: course.tries } };
        } else {
          course.hasText = event.type === 'text';
          yield event;
        }
      }
      return null;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      course.cause = error;
      record(error.kind);
      if (error.kind === 'too-long') this.noteCount(entry, request, null);
      const isSpeechless = hasBegun && error.kind === 'empty';
      const failed = () => afterFailure(this.circuitOf(model), error, performance.now(), probing, hasNext);
      circuits.set(model, isSpeechless ? SPEECHLESS : failed());
      return error;
    } finally {
      // The try said nothing about the host's health: the next caller may probe it.
      if (probing && circuits.get(model) === probing) circuits.set(model, former);
    }
  }

  /** Waits until another default model is chosen in place of one that is gone. Returns null where none is. */
  private async replaced(slot: ChainSlot, { model, provider }: ChainEntry): Promise<ChainEntry | null> {
    const { onGone } = this.parts;
    if (!slot.isDefault || !onGone) return null;
    const chosen = onGone(labelOf({ model, provider })).catch(() => undefined);
    await Promise.race([chosen, sleep(REPLACE_MS, undefined, { ref: false })]);
    const next = entryOf(slot);
    return next.model === model ? null : next;
  }

  /** Lets the cards learn from what the host counted; null: it refused the prompt as too long. */
  private noteCount(entry: ChainEntry, request: ModelRequest, counted: TokenCounts | null): void {
    if (hasPictures(request)) return;
    const { cards } = this.parts;
    const label = labelOf(entry);
    const estimated = estimatePrompt(request, label);
    if (counted === null) cards.noteTooLong(label, estimated);
    else if (!entry.provider.omitsKept) cards.counter.note(label, estimated, counted.promptTokens);
  }

  private entries(): ChainEntry[] {
    return this.slots.map(entryOf);
  }

  /** Counts the models behind a place that may be asked now. */
  private askableAfter(position: number): number {
    const models = this.models.slice(position + 1);
    return models.filter((model) => mayAsk(this.circuitOf(model), performance.now()) !== 'no').length;
  }

  private circuitOf(model: string): Circuit {
    return this.circuits.get(model) ?? CLOSED;
  }
}

function entryOf({ provider, modelNow }: ChainSlot): ChainEntry {
  return { provider, model: modelNow() };
}

/** Waits, or throws the signal's reason. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
