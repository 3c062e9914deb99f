import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type personalityContract, type ResponseInput } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { Logger } from 'pino';
import type { CompanionRecords, Origin, VersionedPersona } from '../store/companion-records.js';
import { type Companion, toCompanion } from '../persona/companion.js';
import { loadPersonas, stampOf } from '../persona/load-personas.js';
import type { Persona } from '@kith/characters';
import { parsePersona } from '../persona/parse-persona.js';

/** Postgres is asked again this often while it is not there at start. */
const RETRY_MS = 1_000;
/** Start waits so long for Postgres, so that in the usual case the first request finds the companions there. */
const START_WAIT_MS = 2_000;
/** A changed file, or an edit at another replica that told of it, is in force everywhere after about so long. */
const LOOK_AGAIN_MS = 2_000;
/** An edit whose broadcast was lost is in force after about so long. */
const LOOK_FOR_EDITS_MS = 30_000;
/** The channel on which replicas tell each other of an edit. */
const CHANGES_CHANNEL = 'companions';

/**
 * The suite's companions, read from their files and kept in memory. A file that changes is a new version, while
 * the service runs, too; an edit or a rollback is one as well, and holds until the file changes again.
 */
export class CompanionRegistry {
  private byId: ReadonlyMap<string, Companion> | undefined;
  /** Those that have no file. */
  private created: ReadonlySet<string> = new Set();
  /** Those that answer nobody, with the time since which. */
  private paused: ReadonlyMap<string, Date> = new Map();
  private running: Promise<void> = Promise.resolve();
  private stamp = '';
  /** An edit elsewhere was told of, or may have been missed. */
  private isBehind = true;
  private unsubscribe: (() => Promise<void>) | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly records: CompanionRecords,
    private readonly folders: readonly string[],
    /** Time zone of companions whose persona names none. */
    private readonly suiteZone: string,
    private readonly broadcasts: Pick<Broadcasts, 'publish' | 'subscribe'>,
    private readonly logger: Logger,
  ) {}

  /** Reads the files, registers the companions as soon as Postgres is there, and looks for changes from then on. */
  async start(): Promise<void> {
    this.stamp = await stampOf(this.folders);
    const { personas, problems } = await this.read();
    if (personas.length === 0) {
      throw new Error(
        `no valid persona file in ${this.folders.join(' or ')}${problems.map((problem) => `\n  ${problem}`).join('')}`,
      );
    }
    const registering = this.registerUntilDone(personas);
    this.running = registering.then(() => this.lookForChanges());
    const patience = new AbortController();
    const waited = pause(START_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([registering, waited]);
    patience.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.unsubscribe?.();
  }

  /** @throws AppError `unavailable` until the companions are registered. */
  all(): Companion[] {
    return [...this.known().values()];
  }

  /** @throws AppError `not_found` that lists the ids there are; `unavailable` as for `all`. */
  get(id: string): Companion {
    const known = this.known();
    const companion = known.get(id);
    if (companion) return companion;
    const ids = [...known.keys()];
    throw new AppError('not_found', `there is no companion ${id}; there is ${ids.join(', ')}`, {
      companions: ids,
    });
  }

  /** A version as it is kept, the one in force without a number. @throws AppError `not_found` */
  async persona(id: string, version?: number): Promise<ResponseInput<typeof personalityContract.persona>> {
    const { view } = this.get(id);
    const { persona, origin, at, ...kept } = await this.kept(id, version ?? view.version);
    return { companionId: id, version: kept.version, origin, at: at.toISOString(), persona };
  }

  /** Every version of a companion that is kept, the latest first. */
  async history(id: string): Promise<ResponseInput<typeof personalityContract.personaVersions>> {
    const { view } = this.get(id);
    const versions = await this.records.history(id);
    return {
      versions: versions.map(({ version, origin, at }) => ({
        ...{ version, origin, at: at.toISOString() },
        inForce: version === view.version,
      })),
    };
  }

  /**
   * Puts a persona in force in place of the companion's own.
   * @throws AppError `invalid_request` that names each field and what is wrong with it
   */
  async edit(id: string, json: unknown): Promise<Companion> {
    return this.replace(this.check(id, json).persona, 'edit');
  }

  /**
   * Makes a companion that has no file.
   * @throws AppError `invalid_request` that names each field; `conflict` where one of its id is there
   */
  async create(json: unknown): Promise<Companion> {
    this.known();
    const persona = parsePersona(json);
    const made = this.known().has(persona.id) ? null : await this.records.create(persona);
    if (!made) throw new AppError('conflict', `there is a companion ${persona.id} already`, { field: 'id' });
    this.created = new Set([...this.created, persona.id]);
    return this.putInForce(made, 'created');
  }

  /** Takes a companion without a file out of service. @throws AppError `invalid_request` for one of a file */
  async retire(id: string): Promise<void> {
    this.get(id);
    if (!this.created.has(id))
      throw new AppError('invalid_request', `${id} comes from a file: take that away instead`, {
        field: 'id',
      });
    await this.records.retire(id);
    this.drop(id);
    void this.broadcasts.publish(CHANGES_CHANNEL, { companionId: id });
    this.logger.info({ companionId: id }, 'companion retired');
  }

  /** Has a companion answer nobody, or everybody again. @throws AppError `not_found` */
  async setPaused(id: string, paused: boolean): Promise<Companion> {
    this.get(id);
    const since = await this.records.setPaused(id, paused);
    const companion = this.notePause(id, since);
    void this.broadcasts.publish(CHANGES_CHANNEL, { companionId: id });
    this.logger.info({ companionId: id, paused }, 'companion paused or resumed');
    return companion;
  }

  /**
   * A persona that may take the place of a companion's own, as it would be in force.
   * @throws AppError `invalid_request` that names each field and what is wrong with it
   */
  check(id: string, json: unknown): Companion {
    this.get(id);
    return this.inForce({ persona: parsePersona(json, id), version: 0 });
  }

  /** A version that was in force once, as it was then; null when it is not kept. */
  async earlier(id: string, version: number): Promise<Companion | null> {
    const kept = await this.records.version(id, version);
    return kept && this.inForce(kept);
  }

  /** Puts an earlier version in force again, as a new one. @throws AppError `not_found` */
  async rollBack(id: string, version: number): Promise<Companion> {
    this.get(id);
    return this.replace((await this.kept(id, version)).persona, 'rollback');
  }

  private async kept(id: string, version: number) {
    const kept = await this.records.version(id, version);
    if (kept) return kept;
    const known = (await this.records.history(id)).map((row) => row.version);
    throw new AppError('not_found', `version ${version} of ${id} is not kept; there is ${known.join(', ')}`, {
      field: 'version',
    });
  }

  private async replace(persona: Persona, origin: Exclude<Origin, 'file' | 'created'>): Promise<Companion> {
    return this.putInForce(await this.records.replace(persona, origin), origin);
  }

  private putInForce({ persona, version }: VersionedPersona, origin: Origin): Companion {
    const companion = this.adopt({ persona, version });
    void this.broadcasts.publish(CHANGES_CHANNEL, { companionId: persona.id });
    this.logger.info({ companionId: persona.id, version: companion.view.version, origin }, 'persona changed');
    return companion;
  }

  private inForce({ persona, version }: VersionedPersona): Companion {
    const companion = toCompanion(persona, version, this.suiteZone);
    return withPause(companion, this.paused.get(persona.id) ?? null);
  }

  private notePause(id: string, since: Date | null): Companion {
    const others = [...this.paused].filter(([known]) => known !== id);
    this.paused = new Map(since ? [...others, [id, since]] : others);
    const companion = withPause(this.get(id), since);
    this.byId = new Map(this.byId).set(id, companion);
    return companion;
  }

  private adopt({ persona, version }: VersionedPersona): Companion {
    const companion = this.inForce({ persona, version });
    this.byId = new Map(this.byId).set(persona.id, companion);
    return companion;
  }

  private drop(id: string): void {
    this.byId = new Map([...this.known()].filter(([known]) => known !== id));
    this.created = new Set([...this.created].filter((known) => known !== id));
  }

  private known(): ReadonlyMap<string, Companion> {
    if (this.byId) return this.byId;
    throw new AppError('unavailable', 'the companions are not registered yet: that needs Postgres');
  }

  private async read() {
    const loaded = await loadPersonas(this.folders);
    for (const problem of loaded.problems) this.logger.error({ problem }, 'persona file left out');
    return loaded;
  }

  private async registerUntilDone(personas: readonly Persona[]): Promise<void> {
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        await this.register(personas, []);
        return;
      } catch (error) {
        // Said once: the health check tells that Postgres is down for as long as it is.
        if (attempt === 1) this.logger.warn({ err: error }, 'companions not registered yet');
        await this.pause(RETRY_MS);
      }
    }
  }

  /** Registers what the files hold, beside companions that stay as they are. */
  private async register(personas: readonly Persona[], staying: readonly Companion[]): Promise<void> {
    const registered = await this.records.register(personas);
    const created = await this.records.created();
    const versions = await this.records.versions();
    this.paused = new Map(
      [...versions].flatMap(([id, { pausedAt }]) => (pausedAt ? [[id, pausedAt] as const] : [])),
    );
    this.created = new Set(created.map(({ persona }) => persona.id));
    const companions = [...created, ...registered].map((one) => this.inForce(one));
    const all = [...staying, ...companions].map((companion) => [companion.view.id, companion] as const);
    this.byId = new Map(all.sort(([one], [other]) => one.localeCompare(other)));
    this.logger.info({ companions: [...this.byId.keys()] }, 'companions registered');
  }

  /** Looks at files and table by turns, since folders mounted into a container tell of no changes. */
  private async lookForChanges(): Promise<void> {
    let failed = false;
    let lookedAt = Number.NEGATIVE_INFINITY;
    void this.hearOfEdits();
    for (;;) {
      await this.pause(LOOK_AGAIN_MS);
      if (this.stopping.signal.aborted) return;
      try {
        await this.takeUpFiles();
        if (this.isBehind || performance.now() - lookedAt >= LOOK_FOR_EDITS_MS) {
          this.isBehind = false;
          lookedAt = performance.now();
          await this.takeUpEdits();
        }
        failed = false;
      } catch (error) {
        this.isBehind = true;
        if (!failed) this.logger.warn({ err: error }, 'changes of companions not looked for');
        failed = true;
      }
    }
  }

  /** Listens for edits at other replicas. Without Redis they are found by looking. */
  private async hearOfEdits(): Promise<void> {
    const subscribing = this.broadcasts.subscribe(CHANGES_CHANNEL, () => (this.isBehind = true));
    this.unsubscribe = await subscribing.catch(() => undefined);
  }

  /** A file that was broken while the service runs leaves its companion as it is; one that is gone takes it along. */
  private async takeUpFiles(): Promise<void> {
    const stamp = await stampOf(this.folders);
    if (stamp === this.stamp) return;
    const { personas, problems } = await this.read();
    const isRead = new Set(personas.map(({ id }) => id));
    const staying = problems.length > 0 ? this.all().filter(({ view }) => !isRead.has(view.id)) : [];
    if (personas.length + staying.length > 0) await this.register(personas, staying);
    void this.broadcasts.publish(CHANGES_CHANNEL, {});
    this.stamp = stamp;
  }

  /** Puts in force what another replica edited, created or paused, and drops what it retired. */
  private async takeUpEdits(): Promise<void> {
    const versions = await this.records.versions();
    for (const id of this.created) if (!versions.get(id)?.isCreated) this.drop(id);
    for (const [id, { version, isCreated, pausedAt }] of versions) {
      const view = this.known().get(id)?.view;
      if (view && view.pausedSince !== pausedAt?.toISOString()) this.notePause(id, pausedAt);
      const inForce = view?.version;
      if (version === inForce || (inForce === undefined && !isCreated)) continue;
      const kept = await this.records.version(id, version);
      if (!kept) continue;
      this.adopt(kept);
      if (isCreated) this.created = new Set([...this.created, id]);
    }
  }

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

function withPause(companion: Companion, since: Date | null): Companion {
  const { pausedSince: _, ...view } = companion.view;
  return { ...companion, view: { ...view, ...(since && { pausedSince: since.toISOString() }) } };
}
