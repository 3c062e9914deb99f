import {
  AppError,
  explainFields,
  type personalityContract,
  type ResponseInput,
  timesAsText,
} from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Companion } from '../persona/companion.js';
import type { CompanionRecords } from '../store/companion-records.js';
import type { Origin, VersionedPersona } from '../store/note-version.js';
import { CHANGES_CHANNEL, CompanionWatch } from './companion-watch.js';
import { CompanionsInForce } from './companions-in-force.js';
import { Persona, takeLore } from '@kith/characters';

/**
 * The suite's companions, read from their files and kept in memory. A file that changes is a new version, while
 * the service runs, too; an edit or a rollback is one as well, and holds until the file changes again.
 */
export class CompanionRegistry {
  /** Keeps them up to date. */
  readonly watch: CompanionWatch;
  private readonly inForce: CompanionsInForce;

  constructor(
    private readonly records: CompanionRecords,
    folders: readonly string[],
    /** Time zone of companions whose persona names none. */
    suiteZone: string,
    private readonly broadcasts: Pick<Broadcasts, 'publish' | 'hear'>,
    private readonly logger: Logger,
  ) {
    this.inForce = new CompanionsInForce(records, suiteZone);
    this.watch = new CompanionWatch(this.inForce, folders, broadcasts, logger);
  }

  /** @throws AppError `unavailable` until the companions are registered. */
  all(): Companion[] {
    return [...this.inForce.known().values()];
  }

  /** @throws AppError `not_found` that lists the ids there are; `unavailable` as for `all`. */
  get(id: string): Companion {
    return this.inForce.get(id);
  }

  /** Returns a version as it is kept; without a number the one in force. @throws AppError `not_found` */
  async persona(id: string, version?: number): Promise<ResponseInput<typeof personalityContract.persona>> {
    const { view } = this.get(id);
    const { persona, origin, at, ...kept } = await this.kept(id, version ?? view.version);
    return { companionId: id, version: kept.version, origin, at: at.toISOString(), persona };
  }

  /** Lists the versions of a companion that are kept, the latest first. */
  async history(id: string): Promise<ResponseInput<typeof personalityContract.personaVersions>> {
    const { view } = this.get(id);
    const versions = await this.records.history(id);
    return {
      versions: versions.map((kept) => ({ ...timesAsText(kept), inForce: kept.version === view.version })),
    };
  }

  /**
   * Puts a persona in force in place of the companion's own.
   * @param basedOn version that it was made from
   * @throws AppError `invalid_request` that names each field and what is wrong with it; `conflict` where another version
   * is in force than it was made from
   */
  async edit(id: string, json: unknown, basedOn?: number): Promise<Companion> {
    const { persona } = this.check(id, json);
    return this.putInForce(await this.records.replace(persona, 'edit', basedOn), 'edit');
  }

  /**
   * Makes a companion that has no file.
   * @throws AppError `invalid_request` that names each field; `conflict` where one of its id is there
   */
  async create(json: unknown): Promise<Companion> {
    this.inForce.known();
    const persona = parsePersona(json);
    const made = this.inForce.known().has(persona.id) ? null : await this.records.create(persona);
    if (!made) throw new AppError('conflict', `there is a companion ${persona.id} already`, { field: 'id' });
    return this.putInForce(made, 'created');
  }

  /** Takes a companion without a file out of service. @throws AppError `invalid_request` for one of a file */
  async retire(id: string): Promise<void> {
    if (this.get(id).view.fromFile)
      throw new AppError('invalid_request', `${id} comes from a file: take that away instead`, {
        field: 'id',
      });
    await this.records.retire(id);
    await this.tell(id);
    this.logger.info({ companionId: id }, 'companion retired');
  }

  /** Pauses a companion, which then answers nobody, or ends its pause. @throws AppError `not_found` */
  async setPaused(id: string, paused: boolean): Promise<Companion> {
    const pausedAt = await this.records.setPaused(id, paused, this.get(id).view.fromFile === true);
    await this.tell(id);
    this.logger.info({ companionId: id, paused }, 'companion paused or resumed');
    const { persona, view } = this.get(id);
    return this.inForce.with(
      { persona, version: view.version },
      { ...view, pausedSince: pausedAt?.toISOString() },
    );
  }

  /**
   * Builds a companion as it would be with another persona, without putting that in force.
   * @throws AppError `invalid_request` that names each field and what is wrong with it
   */
  check(id: string, json: unknown): Companion {
    this.get(id);
    return this.inForce.with({ persona: parsePersona(json, id), version: 0 });
  }

  /** Builds a companion as it was in an earlier version; null when that is not kept. */
  async earlier(id: string, version: number): Promise<Companion | null> {
    const kept = await this.records.version(id, version);
    return kept && this.inForce.with(kept);
  }

  /** Puts an earlier version in force again, as a new one. @throws AppError `not_found` */
  async rollBack(id: string, version: number): Promise<Companion> {
    this.get(id);
    const { persona } = await this.kept(id, version);
    return this.putInForce(await this.records.replace(persona, 'rollback'), 'rollback');
  }

  private async kept(id: string, version: number) {
    const kept = await this.records.version(id, version);
    if (kept) return kept;
    const known = (await this.records.history(id)).map((row) => row.version);
    throw new AppError('not_found', `there is no version ${version} of ${id}: it has ${known.join(', ')}`, {
      field: 'version',
    });
  }

  /** Returns what was stored, also where it is not in force here yet, or not any more. */
  private async putInForce(stored: VersionedPersona, origin: Origin): Promise<Companion> {
    const { id: companionId } = stored.persona;
    await this.tell(companionId);
    this.logger.info({ companionId, version: stored.version, origin }, 'persona changed');
    return this.inForce.with(stored);
  }

  /** Has a change take effect here and at the other replicas. */
  private async tell(companionId: string): Promise<void> {
    void this.broadcasts.publish(CHANGES_CHANNEL, { companionId });
    await this.watch.takeUp();
  }
}

/**
 * Parses a persona from outside. Lore that an exported file has beside it is left out.
 * @param id of the companion that gets this persona; left out for a new one
 * @throws AppError `invalid_request` that names each field and what is wrong with it
 */
function parsePersona(json: unknown, id?: string): Persona {
  const reading = Persona.safeParse(takeLore(json).persona);
  const errors = reading.success ? [] : explainFields(reading.error, 'whole file');
  if (reading.success && id !== undefined && reading.data.id !== id)
    errors.push({
      field: 'id',
      message: `must stay ${id}: a new companion is created or has a file of its own`,
    });
  if (reading.success && errors.length === 0) return reading.data;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new AppError('invalid_request', detail, { errors });
}
