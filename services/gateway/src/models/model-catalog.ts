import {
  AppError,
  DAY_MS,
  embeddingContract,
  MODELS_CHANNEL,
  type ModelChoice,
  type ModelsView,
  type ModelTestView,
  type SuiteHealth,
} from '@kith/contracts';
import {
  type ModelChoices,
  type ModelHost,
  type ModelPrice,
  type ModelRoles,
  type ModelStatus,
  type OfferedModel,
} from '@kith/llm';
import { toJsonb, type Database } from '@kith/database';
import type { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { describeChoices } from './describe-choices.js';
import { planChoices, type HostListing, type KeptChoice } from './plan-choices.js';

/** Time for a host to list its models: some hundred kilobytes at most. */
const LIST_MS = 10_000;
/** Time between two reads of the lists: hosts announce an end weeks ahead. */
const REFRESH_EVERY_MS = DAY_MS;
/** Time for which a refused model is not replaced again. Its host may go on to list it, and refuse each message. */
const REPLACE_AGAIN_MS = 60_000;

interface Listing {
  host: string;
  defaultsOf: HostListing['host'] | null;
  offered: readonly OfferedModel[];
  problem: string | null;
}

interface CatalogParts {
  hosts: readonly ModelHost[];
  choices: ModelChoices;
  database: Database;
  roles: ModelRoles;
  messenger: Messenger;
  broadcasts: Broadcasts;
  logger: Logger;
}

/**
 * Knows which models there are and which ones the roles ask. Asks each host at start for its list, chooses the
 * default models that the settings leave open, keeps the choice, and makes another only when its model goes away.
 */
export class ModelCatalog {
  private kept: KeptChoice[] = [];
  private listings: Listing[] = [];
  private told: string[] = [];
  private refreshing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly lastGoneAt = new Map<string, number>();

  constructor(private readonly parts: CatalogParts) {}

  /** Loads the kept choices. Reads the hosts' lists in the background: a slow host holds nothing up. */
  async start(): Promise<void> {
    if (this.parts.hosts.length === 0) return;
    try {
      this.kept = await this.parts.database.reader('system').$queryRaw<KeptChoice[]>`
        SELECT host, role, model, chosen_at AS "chosenAt", replaced FROM model_choices`;
      this.parts.choices.set(this.kept);
    } catch (error) {
      this.parts.logger.error(
        { err: error },
        'the chosen models could not be read; the last known ones are asked',
      );
    }
    void this.refresh(new Set());
    this.timer = setInterval(() => void this.refresh(new Set()), REFRESH_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Chooses another model for one (`host:model`) that its host refused as unknown. Resolves once that is done. */
  async replace(gone: string): Promise<void> {
    const now = performance.now();
    if (now - (this.lastGoneAt.get(gone) ?? -Infinity) < REPLACE_AGAIN_MS)
      return this.refreshing ?? undefined;
    this.lastGoneAt.set(gone, now);
    await this.refreshing;
    await this.refresh(new Set([gone]));
  }

  get chosen(): ModelChoice[] {
    return this.kept.map(({ host, role, model }) => ({ host, role, model }));
  }

  /** Names the models that speak now, for the health page. It shows an operator whether only the rehearsal does. */
  get speaking(): SuiteHealth['models'] {
    const { chat, fast } = this.parts.roles;
    return {
      chat: chat.models,
      fast: fast?.models ?? [],
      rehearsal: chat.models.every((model) => model === 'rehearsal'),
      notes: this.notes,
    };
  }

  get notes(): string[] {
    return describeChoices(this.kept, this.named(), this.listings, new Date());
  }

  async view(): Promise<ModelsView> {
    await this.refreshing;
    const { roles } = this.parts;
    return {
      roles: (['chat', 'fast'] as const).map((role) => ({
        role,
        models: (roles[role]?.status() ?? []).map((status) => this.viewModel(role, status)),
      })),
      hosts: this.listings.map(({ host, problem, offered }) => ({
        name: host,
        problem,
        models: offered
          .map(({ id, retiresOn, contextTokens }) => ({
            id,
            retiresOn,
            contextTokens,
            price: this.priceOf(`${host}:${id}`),
          }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      })),
      notes: this.notes,
    };
  }

  /** @throws AppError `not_found` when the role has no model, or none of this name */
  async test(role: 'chat' | 'fast' | 'embedding', only?: string): Promise<ModelTestView> {
    if (role === 'embedding') return { tests: [await this.testEmbedding()] };
    const asked = this.parts.roles[role];
    // The rehearsal is no model: it would fail a model's tests, and nothing would be wrong.
    const isSetUp = asked?.models.some((model) => model !== 'rehearsal');
    const tests = isSetUp ? await asked?.test(only) : undefined;
    if (!tests || tests.length === 0) {
      const detail =
        isSetUp && only
          ? `the ${role} role does not ask ${only}`
          : `no ${role} model is set up, so there is none to test`;
      throw new AppError('not_found', detail);
    }
    return {
      tests: tests.map(({ model, checks, usage }) => ({
        model,
        checks,
        ...usage,
        price: this.priceOf(model),
        costUsd: this.parts.roles.cards.costOf(model, usage),
      })),
    };
  }

  private async testEmbedding(): Promise<ModelTestView['tests'][number]> {
    const started = performance.now();
    const { messenger } = this.parts;
    const answer = await messenger
      .ask(embeddingContract.embed, { texts: [`Is it there? ${started}`], purpose: 'query' })
      .catch((error: unknown) => error as Error);
    const failed = answer instanceof Error;
    return {
      model: failed ? 'embedding' : answer.space.id,
      checks: [
        {
          ability: 'embedding',
          problem: failed ? answer.message : null,
          firstTokenMs: null,
          tookMs: Math.round(performance.now() - started),
        },
      ],
      promptTokens: 0,
      completionTokens: 0,
      price: null,
      costUsd: null,
    };
  }

  private viewModel(role: ModelChoice['role'], { model: label, isDefault, lastError }: ModelStatus) {
    const kept = this.kept.find(
      (choice) => choice.role === role && `${choice.host}:${choice.model}` === label,
    );
    return {
      model: label,
      isNamed: !isDefault,
      chosenAt: isDefault ? (kept?.chosenAt.toISOString() ?? null) : null,
      replaced: isDefault ? (kept?.replaced ?? null) : null,
      retiresOn: this.offerOf(label)?.retiresOn ?? null,
      price: this.priceOf(label),
      problem: lastError,
    };
  }

  private offerOf(label: string): OfferedModel | undefined {
    const { host, model } = splitLabel(label);
    return this.listings.find((one) => one.host === host)?.offered.find(({ id }) => id === model);
  }

  private priceOf(label: string): ModelPrice | null {
    const { price } = this.parts.roles.cards.of(label);
    return price && { input: price.input, output: price.output };
  }

  private named() {
    const { roles } = this.parts;
    const of = (setting: string, statuses: ModelStatus[]) =>
      statuses
        .filter(({ isDefault, model }) => !isDefault && model.includes(':'))
        .map(({ model }) => ({ setting, ...splitLabel(model) }));
    return [...of('CHAT_MODELS', roles.chat.status()), ...of('FAST_MODELS', roles.fast?.status() ?? [])];
  }

  private refresh(gone: ReadonlySet<string>): Promise<void> {
    const refreshing: Promise<void> = this.refreshNow(gone)
      .catch((error: unknown) => {
        this.parts.logger.error({ err: error }, 'could not check the lists of models');
      })
      .finally(() => {
        if (this.refreshing === refreshing) this.refreshing = null;
      });
    this.refreshing = refreshing;
    return refreshing;
  }

  private async refreshNow(gone: ReadonlySet<string>): Promise<void> {
    const { broadcasts, logger } = this.parts;
    this.listings = await Promise.all(this.parts.hosts.map((host) => this.list(host)));
    const withDefaults = this.listings.flatMap(({ defaultsOf, offered }) =>
      defaultsOf && offered.length > 0 ? [{ host: defaultsOf, offered }] : [],
    );
    const made = planChoices(withDefaults, this.kept, gone, new Date());
    if (made.length > 0) {
      const isMade = ({ host, role }: KeptChoice) =>
        made.some((choice) => choice.host === host && choice.role === role);
      this.kept = [...this.kept.filter((choice) => !isMade(choice)), ...made];
      this.parts.choices.set(made);
      for (const { host, role, model, replaced } of made) {
        logger.info({ host, role, model, replaced }, 'a default model was chosen');
      }
      await this.parts.database.writer('system').$executeRaw`
        INSERT INTO model_choices (host, role, model, chosen_at, replaced)
        SELECT * FROM jsonb_to_recordset(${toJsonb(made)}::jsonb)
          AS made (host text, role text, model text, "chosenAt" timestamptz, replaced text)
        ON CONFLICT (host, role) DO UPDATE
        SET model = excluded.model, chosen_at = excluded.chosen_at, replaced = excluded.replaced`;
    }
    await broadcasts.publish(MODELS_CHANNEL, this.chosen);
    const notes = this.notes;
    for (const note of notes.filter((each) => !this.told.includes(each))) logger.warn(note);
    this.told = notes;
  }

  private async list({ name, provider, defaultsOf }: ModelHost): Promise<Listing> {
    const before = this.listings.find(({ host }) => host === name)?.offered ?? [];
    try {
      const offered = await provider.list(AbortSignal.timeout(LIST_MS));
      this.parts.roles.cards.noteOffered(name, offered);
      return { host: name, defaultsOf, offered, problem: offered.length > 0 ? null : 'it lists no model' };
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'unknown';
      this.parts.logger.warn({ host: name, problem }, 'a model host did not list its models');
      return { host: name, defaultsOf, offered: before, problem };
    }
  }
}

/** `host:model`, whose model may hold colons itself. */
function splitLabel(label: string): { host: string; model: string } {
  const [host = '', ...rest] = label.split(':');
  return { host, model: rest.join(':') };
}
