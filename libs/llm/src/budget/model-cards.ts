import { DAY_MS } from '@kith/contracts';
import type { OfferedModel, TokenCounts } from '../provider.js';
import { MODEL_CARDS, UNKNOWN_MODEL } from './card-catalogue.js';
import type { ModelCard, ModelCardOverrides } from './model-card.js';
import { TokenCounter } from './token-counter.js';

export interface CardedModel {
  /** As `provider:model`. */
  model: string;
  card: ModelCard;
}

type ListedParts = Pick<OfferedModel, 'contextTokens' | 'price'>;

/** Cards of the models that this process may ask: the catalogue's, with what hosts list and settings say. */
export class ModelCards {
  readonly counter = new TokenCounter();
  private readonly listed = new Map<string, ListedParts>();
  /** Contexts that refusals have shown to be smaller than the cards say, and when the last one was. */
  private readonly refused = new Map<string, { tokens: number; at: number }>();

  /** @param hostContexts contexts that a host gives all of its models, also those it does not list */
  constructor(
    private readonly overrides: ModelCardOverrides = {},
    private readonly hostContexts: Readonly<Record<string, number | undefined>> = {},
  ) {}

  /** Takes up the contexts and the prices that a host lists. */
  noteOffered(host: string, offered: readonly ({ id: string } & ListedParts)[]): void {
    for (const { id, contextTokens, price } of offered)
      this.listed.set(`${host}:${id}`, {
        contextTokens: contextTokens === null || contextTokens < MIN_CONTEXT ? null : contextTokens,
        price,
      });
  }

  /**
   * Takes it for a day that a host lets a model hold less than a prompt that it refused as too long. One that refuses again
   * after it is taken to hold as little as before.
   */
  noteTooLong(label: string, estimated: number): void {
    const tokens = Math.floor(estimated * this.counter.factorOf(label));
    const known = this.refused.get(label)?.tokens ?? this.of(label).contextTokens;
    this.refused.set(label, {
      tokens: Math.max(MIN_CONTEXT, Math.min(tokens, known)),
      at: performance.now(),
    });
  }

  /** Returns the card of a model, `provider:model`; a careful one where nothing is known of it. */
  of(label: string): ModelCard {
    const colon = label.indexOf(':');
    const model = label.slice(colon + 1);
    const found = MODEL_CARDS.find(([pattern]) => pattern.test(model))?.[1] ?? UNKNOWN_MODEL;
    const own = this.overrides[label] ?? {};
    const listed = this.listed.get(label);
    const told = listed?.contextTokens ?? this.hostContexts[label.slice(0, colon)];
    const said = own.contextTokens ?? told ?? found.contextTokens;
    const refused = this.refused.get(label);
    const isHeld = refused !== undefined && performance.now() - refused.at < HELD_MS;
    const contextTokens = isHeld ? Math.min(said, refused.tokens) : said;
    // A window of another size is filled with as many tokens, or with as many as are always worth it.
    const tokens = Math.max(FILLED_TOKENS, found.compactionRatio * found.contextTokens);
    const compactionRatio =
      contextTokens === found.contextTokens
        ? found.compactionRatio
        : Math.min(UNKNOWN_MODEL.compactionRatio, tokens / contextTokens);
    const known = { ...found, compactionRatio, price: listed?.price ?? found.price };
    return { ...known, ...defined(own), contextTokens };
  }

  /**
   * Works out what tokens of a model cost, in US dollars; null where its price is not known. A host that has cached the
   * beginning of a prompt charges less, which nobody tells us, so this is the most it can be.
   */
  costOf(label: string, { promptTokens, completionTokens, cacheWriteTokens = 0 }: TokenCounts) {
    const { price } = this.of(label);
    const inputTokens = promptTokens + cacheWriteTokens * CACHE_WRITE_SURCHARGE;
    return price && (inputTokens * price.input + completionTokens * price.output) / TOKENS_OF_PRICE;
  }

  /** Lists the models of a chain that a prompt has to fit, whichever answers: the rehearsal counts only alone. */
  answering(labels: readonly string[]): CardedModel[] {
    const asked = labels.length > 1 ? labels.filter((label) => label !== 'rehearsal') : labels;
    const carded = asked.map((model) => ({ model, card: this.of(model) }));
    return carded.length > 0 ? carded : [{ model: 'unknown', card: UNKNOWN_MODEL }];
  }
}

/** Tokens that a price covers. */
const TOKENS_OF_PRICE = 1_000_000;
/** Part of the price of a prompt that Anthropic adds for what it keeps for five minutes, which is what we ask for. */
const CACHE_WRITE_SURCHARGE = 0.25;
/** Tokens of any known window that are filled: a few hundred lines of talk. */
const FILLED_TOKENS = 24_000;
/** Time for which a refusal counts: a host that had loaded too little of a model is mended by then. */
const HELD_MS = DAY_MS;
/** Smallest window of any model: a smaller figure is a host's mistake. */
const MIN_CONTEXT = 1_024;

/** Most tokens of a prompt before the conversation is compacted, with room for the answer. */
export function promptLimit(card: ModelCard, replyTokens: number): number {
  return Math.min(Math.floor(card.contextTokens * card.compactionRatio), promptRoom(card, replyTokens));
}

/** Most tokens of any prompt, also one that grows by tools' results, with room for the answer. */
export function promptRoom({ contextTokens, safetyMargin }: ModelCard, replyTokens: number): number {
  return Math.max(0, Math.floor(contextTokens * (1 - safetyMargin) - replyTokens));
}

function defined<T extends object>(part: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as never;
}
