import { AppError } from '@kith/contracts';
import { type Companion, toCompanion } from '../persona/companion.js';
import type { VersionedPersona } from '../store/note-version.js';

/** The companions as this replica knows them now, in memory. */
export class CompanionsInForce {
  private byId: ReadonlyMap<string, Companion> | undefined;
  /** The ids of companions that have no file. */
  private created: ReadonlySet<string> = new Set();
  /** Paused companions by id, with the time since when. */
  private paused: ReadonlyMap<string, Date> = new Map();

  /** @param suiteZone time zone of companions whose persona names none */
  constructor(private readonly suiteZone: string) {}

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

  createdIds(): ReadonlySet<string> {
    return this.created;
  }

  /** Builds a companion as it would be in force with a persona. */
  with({ persona, version }: VersionedPersona): Companion {
    const { view, ...rest } = toCompanion(persona, version, this.suiteZone);
    const origin = this.created.has(persona.id) ? {} : { fromFile: true as const };
    return withPause({ ...rest, view: { ...view, ...origin } }, this.paused.get(persona.id) ?? null);
  }

  /** Puts all companions in force at once: those of files, those without, and those that stay as they are. */
  replaceAll(
    files: readonly VersionedPersona[],
    created: readonly VersionedPersona[],
    staying: readonly Companion[],
    paused: ReadonlyMap<string, Date>,
  ): string[] {
    this.paused = paused;
    this.created = new Set(created.map(({ persona }) => persona.id));
    const companions = [...staying, ...[...created, ...files].map((one) => this.with(one))];
    const all = companions.map((companion) => [companion.view.id, companion] as const);
    this.byId = new Map(all.sort(([one], [other]) => one.localeCompare(other)));
    return [...this.byId.keys()];
  }

  /** Puts a persona in force, unless a later version is, or its companion went out of service meanwhile. */
  adopt(versioned: VersionedPersona): Companion {
    const companion = this.with(versioned);
    const { id, version } = companion.view;
    const inForce = this.known().get(id)?.view.version;
    const isDue = inForce === undefined ? this.created.has(id) : version >= inForce;
    if (isDue) this.byId = new Map(this.byId).set(id, companion);
    return companion;
  }

  /** Reads the tables, and again while something changes here: what was read may be as it was before the change. */
  async readInPeace<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      const before = this.byId;
      const found = await read();
      if (this.byId === before) return found;
    }
  }

  noteCreated(id: string): void {
    this.created = new Set([...this.created, id]);
  }

  notePause(id: string, since: Date | null): Companion {
    const others = [...this.paused].filter(([known]) => known !== id);
    this.paused = new Map(since ? [...others, [id, since]] : others);
    const companion = withPause(this.get(id), since);
    this.byId = new Map(this.byId).set(id, companion);
    return companion;
  }

  drop(id: string): void {
    this.byId = new Map([...this.known()].filter(([known]) => known !== id));
    this.created = new Set([...this.created].filter((known) => known !== id));
    this.paused = new Map([...this.paused].filter(([known]) => known !== id));
  }
}

function withPause(companion: Companion, since: Date | null): Companion {
  const { pausedSince: _, ...view } = companion.view;
  return { ...companion, view: { ...view, ...(since && { pausedSince: since.toISOString() }) } };
}
