import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppError, type personalityContract, type ResponseInput } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { Logger } from 'pino';
import type { CompanionRecords, Origin, VersionedPersona } from '../storage/companion-records.js';
import { type Companion, inForce } from './in-force.js';
import { loadPersonas, stampOf } from './load-personas.js';
import { Persona, problemsWith } from './persona-file.js';

/** Postgres is asked again this often while it is not there at start. */
const RETRY_MS = 1_000;
/** Start waits so long for Postgres, so that in the usual case the first request finds the companions there. */
const START_WAIT_MS = 2_000;
/** A changed file, or an edit at another replica that told of it, is in force everywhere after about so long. */
const LOOK_AGAIN_MS = 2_000;
/** An edit whose broadcast was lost is. */
const LOOK_FOR_EDITS_MS = 30_000;
/** What replicas tell each other an edit on. */
const CHANGES_CHANNEL = 'companions';

/**
 * The suite's companions, read from their files and kept in memory. A file that changes is a new version, while
 * the service runs, too; an edit or a rollback is one as well, and holds until the file changes again.
 */
@Injectable()
export class CompanionsService implements OnApplicationBootstrap, OnApplicationShutdown {
  #byId: ReadonlyMap<string, Companion> | undefined;
  #running: Promise<void> = Promise.resolve();
  #stamp = '';
  /** An edit elsewhere was told of, or may have been missed. */
  #isBehind = true;
  #unsubscribe: (() => Promise<void>) | undefined;
  readonly #stopping = new AbortController();

  constructor(
    private readonly records: CompanionRecords,
    private readonly folders: readonly string[],
    /** Where companions live whose persona names no zone. */
    private readonly suiteZone: string,
    private readonly broadcasts: Pick<Broadcasts, 'publish' | 'subscribe'>,
    private readonly logger: Logger,
  ) {}

  /** Reads the files, registers the companions as soon as Postgres is there, and looks for changes from then on. */
  async onApplicationBootstrap(): Promise<void> {
    this.#stamp = await stampOf(this.folders);
    const { personas, problems } = await this.#read();
    if (personas.length === 0) {
      throw new Error(
        `no valid persona file in ${this.folders.join(' or ')}${problems.map((problem) => `\n  ${problem}`).join('')}`,
      );
    }
    const registering = this.#registerUntilDone(personas);
    this.#running = registering.then(() => this.#lookForChanges());
    const patience = new AbortController();
    const waited = pause(START_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([registering, waited]);
    patience.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#unsubscribe?.();
  }

  /** @throws AppError `unavailable` until the companions are registered. */
  all(): Companion[] {
    return [...this.#known().values()];
  }

  /** @throws AppError `not_found` that lists the ids there are; `unavailable` as for `all`. */
  get(id: string): Companion {
    const known = this.#known();
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
    const { persona, origin, at, ...kept } = await this.#kept(id, version ?? view.version);
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
    return this.#replace(this.check(id, json).persona, 'edit');
  }

  /**
   * A persona that may take the place of a companion's own, as it would be in force.
   * @throws AppError `invalid_request` that names each field and what is wrong with it
   */
  check(id: string, json: unknown): Companion {
    this.get(id);
    const reading = Persona.safeParse(json);
    const errors = reading.success ? [] : problemsWith(reading.error);
    if (reading.success && reading.data.id !== id) {
      errors.push({ field: 'id', message: `must stay ${id}: a new companion is a new file` });
    }
    if (!reading.success || errors.length > 0) {
      const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
      throw new AppError('invalid_request', detail, { errors });
    }
    return this.#inForce({ persona: reading.data, version: 0 });
  }

  /** A version that was in force once, as it was then; null when it is not kept. */
  async earlier(id: string, version: number): Promise<Companion | null> {
    const kept = await this.records.version(id, version);
    return kept && this.#inForce(kept);
  }

  /** Puts an earlier version in force again, as a new one. @throws AppError `not_found` */
  async rollBack(id: string, version: number): Promise<Companion> {
    this.get(id);
    return this.#replace((await this.#kept(id, version)).persona, 'rollback');
  }

  async #kept(id: string, version: number) {
    const kept = await this.records.version(id, version);
    if (kept) return kept;
    const known = (await this.records.history(id)).map((row) => row.version);
    throw new AppError('not_found', `version ${version} of ${id} is not kept; there is ${known.join(', ')}`, {
      field: 'version',
    });
  }

  async #replace(persona: Persona, origin: Exclude<Origin, 'file'>): Promise<Companion> {
    const companion = this.#adopt(await this.records.replace(persona, origin));
    void this.broadcasts.publish(CHANGES_CHANNEL, { companionId: persona.id });
    this.logger.info({ companionId: persona.id, version: companion.view.version, origin }, 'persona changed');
    return companion;
  }

  #inForce({ persona, version }: VersionedPersona): Companion {
    return inForce(persona, version, this.suiteZone);
  }

  #adopt({ persona, version }: VersionedPersona): Companion {
    const companion = this.#inForce({ persona, version });
    this.#byId = new Map(this.#byId).set(persona.id, companion);
    return companion;
  }

  #known(): ReadonlyMap<string, Companion> {
    if (this.#byId) return this.#byId;
    throw new AppError('unavailable', 'the companions are not registered yet: that needs Postgres');
  }

  async #read() {
    const loaded = await loadPersonas(this.folders);
    for (const problem of loaded.problems) this.logger.error({ problem }, 'persona file left out');
    return loaded;
  }

  async #registerUntilDone(personas: readonly Persona[]): Promise<void> {
    for (let attempt = 1; !this.#stopping.signal.aborted; attempt += 1) {
      try {
        await this.#register(personas, []);
        return;
      } catch (error) {
        // Said once: the health check tells that Postgres is down for as long as it is.
        if (attempt === 1) this.logger.warn({ err: error }, 'companions not registered yet');
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Registers what the files hold, beside companions that stay as they are. */
  async #register(personas: readonly Persona[], staying: readonly Companion[]): Promise<void> {
    const registered = await this.records.register(personas);
    const companions = registered.map((one) => this.#inForce(one));
    const all = [...staying, ...companions].map((companion) => [companion.view.id, companion] as const);
    this.#byId = new Map(all.sort(([one], [other]) => one.localeCompare(other)));
    this.logger.info({ companions: [...this.#byId.keys()] }, 'companions registered');
  }

  /** Looks at files and table by turns, since folders mounted into a container tell of no changes. */
  async #lookForChanges(): Promise<void> {
    let failed = false;
    let lookedAt = Number.NEGATIVE_INFINITY;
    void this.#hearOfEdits();
    while (!this.#stopping.signal.aborted) {
      await this.#pause(LOOK_AGAIN_MS);
      if (this.#stopping.signal.aborted) return;
      try {
        await this.#takeUpFiles();
        if (this.#isBehind || performance.now() - lookedAt >= LOOK_FOR_EDITS_MS) {
          this.#isBehind = false;
          lookedAt = performance.now();
          await this.#takeUpEdits();
        }
        failed = false;
      } catch (error) {
        this.#isBehind = true;
        if (!failed) this.logger.warn({ err: error }, 'changes of companions not looked for');
        failed = true;
      }
    }
  }

  /** Without Redis edits elsewhere are found by looking. */
  async #hearOfEdits(): Promise<void> {
    const subscribing = this.broadcasts.subscribe(CHANGES_CHANNEL, () => (this.#isBehind = true));
    this.#unsubscribe = await subscribing.catch(() => undefined);
  }

  /** A file that was broken while the service runs leaves its companion as it is; one that is gone takes it along. */
  async #takeUpFiles(): Promise<void> {
    const stamp = await stampOf(this.folders);
    if (stamp === this.#stamp) return;
    const { personas, problems } = await this.#read();
    const isRead = new Set(personas.map(({ id }) => id));
    const staying = problems.length > 0 ? this.all().filter(({ view }) => !isRead.has(view.id)) : [];
    if (personas.length + staying.length > 0) await this.#register(personas, staying);
    void this.broadcasts.publish(CHANGES_CHANNEL, {});
    this.#stamp = stamp;
  }

  /** What another replica put in force. */
  async #takeUpEdits(): Promise<void> {
    const versions = await this.records.versions();
    for (const { view } of this.all()) {
      const version = versions.get(view.id) ?? view.version;
      if (version === view.version) continue;
      const kept = await this.records.version(view.id, version);
      if (kept) this.#adopt(kept);
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
