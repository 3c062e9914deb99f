import { AppError, type CompanionView } from '@kith/contracts';
import type { Persona } from '@kith/characters';
import { type Companion, toCompanion } from '../persona/companion.js';
import type { CompanionRecords } from '../store/companion-records.js';
import type { VersionedPersona } from '../store/note-version.js';

/** The companions in force, in memory: those of the files that were read, and those without a file, as the table has them. */
export class CompanionsInForce {
  private byId: ReadonlyMap<string, Companion> | undefined;
  /** Versions in force of the personas that have a file, as of when the files were read. */
  private files: ReadonlyMap<string, VersionedPersona> = new Map();
  /** Number of the latest look at the table that has begun. */
  private begun = 0;
  /** Number of the look that the companions are from. */
  private shown = 0;

  constructor(
    private readonly records: CompanionRecords,
    /** Time zone of companions whose persona names none. */
    private readonly suiteZone: string,
  ) {}

  /** Companions by id. @throws AppError `unavailable` until there are any */
  known(): ReadonlyMap<string, Companion> {
    if (this.byId) return this.byId;
    throw new AppError('unavailable', 'the companions are not registered yet: that needs Postgres');
  }

  /** @throws AppError `not_found` that lists the ids there are; `unavailable` as for `known`. */
  get(id: string): Companion {
    const known = this.known();
    const companion = known.get(id);
    if (companion) return companion;
    const ids = [...known.keys()];
    throw new AppError('not_found', `there is no companion ${id}; there is ${ids.join(', ')}`, {
      companions: ids,
    });
  }

  /** Builds a companion as it would be in force with a persona: in its pause, if it has one, unless another state is given. */
  with(
    { persona, version }: VersionedPersona,
    state: Pick<CompanionView, 'fromFile' | 'pausedSince'> | undefined = this.byId?.get(persona.id)?.view,
  ): Companion {
    const { view, ...rest } = toCompanion(persona, version, this.suiteZone);
    const origin = state?.fromFile && { fromFile: state.fromFile };
    const pause = state?.pausedSince !== undefined && { pausedSince: state.pausedSince };
    return { ...rest, view: { ...view, ...origin, ...pause } };
  }

  /**
   * Registers what the files hold. Returns the ids of all companions.
   * @param isPartly a file was left out: companions of other files stay as they are
   */
  async register(personas: readonly Persona[], isPartly: boolean): Promise<string[]> {
    const registered = (await this.records.register(personas)).map((one) => [one.persona.id, one] as const);
    this.files = new Map([...(isPartly ? this.files : []), ...registered]);
    await this.refresh();
    return [...this.known().keys()];
  }

  /** Takes up what the table has now: edits and pauses, companions that were created, and those that were retired. */
  async refresh(): Promise<void> {
    const refresh = ++this.begun;
    const found = new Map<string, Companion>();
    for (const [id, { version, isCreated, pausedAt }] of await this.records.versions()) {
      const file = this.files.get(id);
      if (!isCreated && !file) continue;
      const before = this.byId?.get(id);
      const here = [before && { persona: before.persona, version: before.view.version }, file];
      const same = here.find((one) => one?.version === version);
      // One that is no valid persona any more stays as it was before.
      const kept = same ?? (await this.records.version(id, version)) ?? here.find((one) => one);
      if (!kept) continue;
      const state = {
        fromFile: isCreated ? undefined : (true as const),
        pausedSince: pausedAt?.toISOString(),
      };
      found.set(id, this.with(kept, state));
    }
    // A refresh that began later, and ended before, has seen more.
    if (refresh < this.shown) return;
    this.shown = refresh;
    this.byId = new Map([...found].sort(([one], [other]) => one.localeCompare(other)));
  }
}
