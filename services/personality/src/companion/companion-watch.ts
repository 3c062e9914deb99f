import { setTimeout as pause } from 'node:timers/promises';
import type { Broadcasts } from '@kith/messaging';
import { takeLore, type Persona } from '@kith/characters';
import type { Logger } from 'pino';
import { loadPersonas, stampOf } from '../persona/load-personas.js';
import type { CompanionsInForce } from './companions-in-force.js';

/** Time between two tries to reach Postgres at start. */
const RETRY_MS = 1_000;
/** Time that start waits for Postgres, so that the first request usually finds the companions registered. */
const START_WAIT_MS = 2_000;
/** Time between two checks of the files, and of edits that other replicas announced. */
const CHECK_EVERY_MS = 2_000;
/** Time between two checks of the table, for edits whose announcement was lost. */
const CHECK_TABLE_EVERY_MS = 30_000;
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
  private stopHearing: (() => void) | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly inForce: CompanionsInForce,
    private readonly folders: readonly string[],
    private readonly broadcasts: Pick<Broadcasts, 'publish' | 'hear'>,
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
    this.running = registering.then(() => this.watchForChanges());
    await Promise.race([registering, pause(START_WAIT_MS, undefined, { ref: false })]);
  }

  /** Has a change that was stored take effect here. Never throws: where the table can't be read now, it is soon read again. */
  async takeUp(): Promise<void> {
    try {
      await this.inForce.refresh();
    } catch (error) {
      this.isBehind = true;
      this.logger.warn({ err: error }, 'a change of a companion takes effect here later');
    }
  }

  /** @throws Error that names each file that was left out, and what is wrong with it */
  requireWholeFiles(): void {
    if (this.problems.length > 0) throw new Error(this.problems.join('; '));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.stopHearing?.();
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

  private async register(personas: readonly Persona[], isPartly: boolean): Promise<void> {
    const companions = await this.inForce.register(personas, isPartly);
    this.logger.info({ companions }, 'companions registered');
  }

  /** Checks files and table repeatedly: folders mounted into a container report no changes. */
  private async watchForChanges(): Promise<void> {
    let failed = false;
    let tableCheckedAt = Number.NEGATIVE_INFINITY;
    // Without Redis they are found by checking the table.
    this.stopHearing = this.broadcasts.hear(CHANGES_CHANNEL, () => (this.isBehind = true));
    for (;;) {
      await this.pause(CHECK_EVERY_MS);
      if (this.stopping.signal.aborted) return;
      try {
        await this.takeUpFiles();
        if (this.isBehind || performance.now() - tableCheckedAt >= CHECK_TABLE_EVERY_MS) {
          this.isBehind = false;
          tableCheckedAt = performance.now();
          await this.inForce.refresh();
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

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
