import { setTimeout as pause } from 'node:timers/promises';
import type { Broadcasts } from '@kith/messaging';
import { takeLore, type Persona } from '@kith/characters';
import type { Logger } from 'pino';
import { loadPersonas, stampOf } from '../persona/load-personas.js';
import type { CompanionRecords } from '../store/companion-records.js';
import type { VersionedPersona } from '../store/note-version.js';
import type { CompanionsInForce } from './companions-in-force.js';

/** Time between two tries to reach Postgres at start. */
const RETRY_MS = 1_000;
/** Time that start waits for Postgres, so that the first request usually finds the companions registered. */
const START_WAIT_MS = 2_000;
/** Time between two checks of the files, and of edits that other replicas announced. */
const LOOK_AGAIN_MS = 2_000;
/** Time between two checks of the table, for edits whose announcement was lost. */
const LOOK_FOR_EDITS_MS = 30_000;
/** The channel on which replicas announce their edits. */
export const CHANGES_CHANNEL = 'companions';

/** Keeps the companions in force up to date with their files, and with edits at other replicas. */
export class CompanionWatch {
  private running: Promise<void> = Promise.resolve();
  private stamp = '';
  /** Another replica announced an edit, or an announcement may have been missed. */
  private isBehind = true;
  /** Problems of the files that were left out when they were last read. */
  private problems: readonly string[] = [];
  private unsubscribe: (() => Promise<void>) | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly inForce: CompanionsInForce,
    private readonly records: CompanionRecords,
    private readonly folders: readonly string[],
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
    await Promise.race([registering, pause(START_WAIT_MS, undefined, { ref: false })]);
  }

  /** @throws Error that names each file that was left out, and what is wrong with it */
  requireWholeFiles(): void {
    if (this.problems.length > 0) throw new Error(this.problems.join('; '));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.unsubscribe?.();
  }

  private async read() {
    const loaded = await loadPersonas(this.folders);
    this.problems = loaded.problems;
    for (const problem of loaded.problems) this.logger.error({ problem }, 'persona file left out');
    for (const persona of loaded.personas)
      if (takeLore(persona).lore !== undefined)
        this.logger.warn(
          { companionId: persona.id },
          'lore in a persona file left out: kith companion import FILE --replace brings it in',
        );
    return loaded;
  }

  private async registerUntilDone(personas: readonly Persona[]): Promise<void> {
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        await this.register(personas, false);
        return;
      } catch (error) {
        // Logged once: the health check reports Postgres as down for as long as it lasts.
        if (attempt === 1) this.logger.warn({ err: error }, 'companions not registered yet');
        await this.pause(RETRY_MS);
      }
    }
  }

  /**
   * Registers what the files hold.
   * @param isPartly a file was left out: companions of other files stay as they are
   */
  private async register(personas: readonly Persona[], isPartly: boolean): Promise<void> {
    const { registered, created, versions } = await this.inForce.readInPeace(async () => ({
      registered: await this.records.register(personas),
      created: await this.records.created(),
      versions: await this.records.versions(),
    }));
    const paused = [...versions].flatMap(([id, { pausedAt }]) => (pausedAt ? [[id, pausedAt] as const] : []));
    const isRead = new Set(personas.map(({ id }) => id));
    const known = isPartly ? [...this.inForce.known().values()] : [];
    const staying = known.filter(({ view }) => view.fromFile && !isRead.has(view.id));
    const companions = this.inForce.replaceAll(registered, created, staying, new Map(paused));
    this.logger.info({ companions }, 'companions registered');
  }

  /** Checks files and table repeatedly: folders mounted into a container report no changes. */
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
        if (!failed) this.logger.warn({ err: error }, 'could not look for changes of companions');
        // oxlint-disable-next-line no-useless-assignment -- the next round reads it
        failed = true;
      }
    }
  }

  /** Listens for edits at other replicas. Without Redis they are found by looking. */
  private async hearOfEdits(): Promise<void> {
    const subscribing = this.broadcasts.subscribe(CHANGES_CHANNEL, () => (this.isBehind = true));
    this.unsubscribe = await subscribing.catch(() => undefined);
  }

  /** Takes up changed files. A broken file leaves its companion as it is; a deleted one removes it. */
  private async takeUpFiles(): Promise<void> {
    const stamp = await stampOf(this.folders);
    if (stamp === this.stamp) return;
    const { personas, problems } = await this.read();
    const isPartly = problems.length > 0;
    if (personas.length > 0 || isPartly) await this.register(personas, isPartly);
    void this.broadcasts.publish(CHANGES_CHANNEL, {});
    this.stamp = stamp;
  }

  /** Puts in force what another replica edited, created or paused, and drops what it retired. */
  private async takeUpEdits(): Promise<void> {
    const { versions, changed } = await this.inForce.readInPeace(() => this.readEdits());
    for (const id of this.inForce.createdIds()) if (!versions.get(id)?.isCreated) this.inForce.drop(id);
    for (const kept of changed) {
      const { id } = kept.persona;
      if (versions.get(id)?.isCreated) this.inForce.noteCreated(id);
      this.inForce.adopt(kept);
    }
    for (const [id, { pausedAt }] of versions) {
      const view = this.inForce.known().get(id)?.view;
      if (view && view.pausedSince !== pausedAt?.toISOString()) this.inForce.notePause(id, pausedAt);
    }
  }

  /** Reads which versions are in force, and those of them that are not in force here. */
  private async readEdits() {
    const versions = await this.records.versions();
    const changed: VersionedPersona[] = [];
    for (const [id, { version, isCreated }] of versions) {
      const inForce = this.inForce.known().get(id)?.view.version;
      if (version === inForce || (inForce === undefined && !isCreated)) continue;
      const kept = await this.records.version(id, version);
      if (kept) changed.push(kept);
    }
    return { versions, changed };
  }

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
