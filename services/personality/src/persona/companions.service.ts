import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppError, type CompanionView } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { Logger } from 'pino';
import { baselineOf } from '../mood/baseline.js';
import { type NeedSettings, needSettings, SETTLED } from '../needs/needs.js';
import type { Temperament } from '../mood/mood-dynamics.js';
import { type QuirkRules, USUAL_RULES } from '../quirks/quirk.js';
import { loadPersonas } from './load-personas.js';
import { personaBlock } from './persona-block.js';
import type { Persona } from './persona-file.js';

/** A companion as it is in force, with what follows from its persona worked out once. */
export interface Companion {
  persona: Persona;
  view: CompanionView;
  temperament: Temperament;
  needs: NeedSettings;
  quirkRules: QuirkRules;
  personaBlock: string;
}

/** Postgres is asked again this often while it is not there at start. */
const RETRY_MS = 1_000;
/** Start waits so long for Postgres, so that in the usual case the first request finds the companions there. */
const START_WAIT_MS = 2_000;
const HOUR_MS = 3_600_000;

/**
 * The suite's companions, read from their files at start and kept in memory. The table keeps each one's
 * version, which rises when the file's content has changed.
 */
@Injectable()
export class CompanionsService implements OnApplicationBootstrap, OnApplicationShutdown {
  #byId: ReadonlyMap<string, Companion> | undefined;
  #registering: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly folders: readonly string[],
    private readonly logger: Logger,
  ) {}

  /** Reads the files, and registers the companions as soon as Postgres is there. */
  async onApplicationBootstrap(): Promise<void> {
    const { personas, problems } = await loadPersonas(this.folders);
    for (const problem of problems) this.logger.error({ problem }, 'persona file left out');
    if (personas.length === 0) {
      throw new Error(
        `no valid persona file in ${this.folders.join(' or ')}${problems.map((problem) => `\n  ${problem}`).join('')}`,
      );
    }
    this.#registering = this.#registerUntilDone(personas);
    const patience = new AbortController();
    const waited = pause(START_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.#registering, waited]);
    patience.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#registering;
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

  #known(): ReadonlyMap<string, Companion> {
    if (this.#byId) return this.#byId;
    throw new AppError('unavailable', 'the companions are not registered yet: that needs Postgres');
  }

  async #registerUntilDone(personas: readonly Persona[]): Promise<void> {
    for (let attempt = 1; !this.#stopping.signal.aborted; attempt += 1) {
      try {
        const companions = await this.#register(personas);
        this.#byId = new Map(companions.map((companion) => [companion.view.id, companion]));
        this.logger.info({ companions: [...this.#byId.keys()] }, 'companions registered');
        return;
      } catch (error) {
        // Said once: the health check tells that Postgres is down for as long as it is.
        if (attempt === 1) this.logger.warn({ err: error }, 'companions not registered yet');
        await pause(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** One statement each, so that replicas that start together count a change once. */
  async #register(personas: readonly Persona[]): Promise<Companion[]> {
    return this.database.asSystem(async (tx) => {
      const companions: Companion[] = [];
      for (const persona of personas) {
        const content = JSON.stringify(persona);
        const hash = createHash('sha256').update(content).digest('hex');
        const rows = await tx.$queryRaw<{ version: number }[]>`
          INSERT INTO companions (companion_id, name, persona, hash, updated_at)
          VALUES (${persona.id}, ${persona.name}, ${content}::jsonb, ${hash}, now())
          ON CONFLICT (companion_id) DO UPDATE SET
            version = companions.version + CASE WHEN companions.hash = excluded.hash THEN 0 ELSE 1 END,
            name = excluded.name, persona = excluded.persona, hash = excluded.hash,
            updated_at = CASE WHEN companions.hash = excluded.hash THEN companions.updated_at ELSE now() END
          RETURNING version`;
        // Its needs begin to grow when it comes to be, and not when the epoch did.
        await tx.$executeRaw`
          INSERT INTO needs (companion_id, levels, at) VALUES (${persona.id}, ${SETTLED}::jsonb, now())
          ON CONFLICT (companion_id) DO NOTHING`;
        await plantSeeds(tx, persona);
        companions.push(inForce(persona, rows[0]?.version ?? 1));
      }
      return companions;
    });
  }
}

/** Gives the companion the quirks its persona names, and takes those back that it does not name any more. */
async function plantSeeds(tx: Tx, { id: companionId, quirks }: Persona): Promise<void> {
  const seeds = quirks?.seeds ?? [];
  const stays = seeds.map(({ kind, text }) => ({ kind, text }));
  const origin = 'persona';
  await tx.quirk.deleteMany({
    where: { companionId, origin, ...(stays.length > 0 ? { NOT: { OR: stays } } : {}) },
  });
  const day = new Date();
  await tx.quirk.createMany({
    data: seeds.map(({ kind, text, strength }) => ({ companionId, kind, text, strength, origin, day })),
    skipDuplicates: true,
  });
}

function inForce(persona: Persona, version: number): Companion {
  const { id, name, tagline, description, traits } = persona;
  return {
    persona,
    view: { id, name, tagline, description, traits, version },
    temperament: { baseline: baselineOf(traits), halfLifeMs: persona.moodHalfLifeHours * HOUR_MS },
    needs: needSettings(persona.needs),
    quirkRules: persona.quirks ?? USUAL_RULES,
    personaBlock: personaBlock(persona),
  };
}
