import { hash } from 'node:crypto';
import { Persona, takeLore } from '@kith/characters';
import { AppError } from '@kith/contracts';
import type { Database } from '@kith/database';
import { noteVersion, type Origin, type VersionedPersona } from './note-version.js';

/** Every persona there was, and which of each companion's is in force. */
export class CompanionRecords {
  constructor(private readonly database: Database) {}

  /**
   * Takes note of persona files, and returns the versions in force. A file counts when it has changed since it was last
   * seen: then it is a new version. One that has not leaves in force what was edited or rolled back since. One
   * statement each, so that replicas that start together count a change once.
   */
  async register(files: readonly Persona[]): Promise<VersionedPersona[]> {
    return this.database.write('system', async (tx) => {
      const registered: VersionedPersona[] = [];
      for (const whole of files) {
        const { persona: file } = takeLore(whole);
        const { id } = file;
        // Of the file with its lore: earlier releases took that for a part of it, and an unchanged file is no new version.
        const hash = hashOf(whole);
        const rows = await tx.$queryRaw<{ version: number; persona: unknown; hash: string }[]>`
          INSERT INTO companions AS known (companion_id, name, persona, hash, file_hash, updated_at)
          VALUES (${id}, ${file.name}, ${JSON.stringify(file)}::jsonb, ${hash}, ${hash}, now())
          ON CONFLICT (companion_id) DO UPDATE SET
            (version, name, persona, hash, updated_at) = (
              SELECT known.version + 1, excluded.name, excluded.persona, excluded.hash, now()
              WHERE excluded.file_hash NOT IN (known.hash, coalesce(known.file_hash, known.hash))
              UNION ALL
              SELECT known.version, known.name, known.persona, known.hash, known.updated_at
              WHERE excluded.file_hash IN (known.hash, coalesce(known.file_hash, known.hash))
            ),
            file_hash = excluded.file_hash, created = false
          RETURNING version, persona, hash`;
        const row = rows[0];
        // A persona stored by an older version of this service may be invalid by now: then the file is used.
        const stored = row && row.hash !== hash ? Persona.safeParse(row.persona) : null;
        const persona = stored?.success ? stored.data : file;
        const version = row?.version ?? 1;
        await noteVersion(tx, { persona, version }, 'file');
        registered.push({ persona, version });
      }
      return registered;
    });
  }

  /** Returns the version of each companion that is in force, whether it has no file, and since when it is paused. */
  async versions() {
    const rows = await this.database.reader('system').$queryRaw<
      { id: string; version: number; isCreated: boolean; pausedAt: Date | null }[]
    >`
      SELECT companion_id AS id, version, created AS "isCreated", paused_at AS "pausedAt" FROM companions`;
    return new Map(rows.map(({ id, ...inForce }) => [id, inForce]));
  }

  /** All versions of a companion that are kept, the latest first. */
  async history(companionId: string) {
    const rows = await this.database.asSystem((tx) =>
      tx.personaVersion.findMany({
        where: { companionId },
        select: { version: true, origin: true, at: true },
        orderBy: { version: 'desc' },
      }),
    );
    return rows.map((row) => ({ ...row, origin: row.origin as Origin }));
  }

  /** One version as it is kept; null when it is not, or is no valid persona any more. */
  async version(companionId: string, version: number) {
    const row = await this.database.asSystem((tx) =>
      tx.personaVersion.findUnique({ where: { companionId_version: { companionId, version } } }),
    );
    const parsed = Persona.safeParse(row?.persona);
    if (!row || !parsed.success) return null;
    return { persona: parsed.data, version, origin: row.origin as Origin, at: row.at };
  }

  /**
   * Makes a companion that has no file. One with this id whose file was removed is restored, with all it keeps.
   * @returns null where there is one of this id without a file already
   */
  async create(persona: Persona): Promise<VersionedPersona | null> {
    const { id, name } = persona;
    const hash = hashOf(persona);
    return this.database.write('system', async (tx) => {
      const rows = await tx.$queryRaw<{ version: number }[]>`
        INSERT INTO companions AS known (companion_id, name, persona, hash, created, updated_at)
        VALUES (${id}, ${name}, ${JSON.stringify(persona)}::jsonb, ${hash}, true, now())
        ON CONFLICT (companion_id) DO UPDATE SET version = known.version + 1, name = excluded.name,
          persona = excluded.persona, hash = excluded.hash, file_hash = NULL, created = true, updated_at = now()
          WHERE NOT known.created
        RETURNING version`;
      const version = rows[0]?.version;
      if (version === undefined) return null;
      await noteVersion(tx, { persona, version }, 'created');
      return { persona, version };
    });
  }

  /** Takes a companion without a file out of service. A later one with its id does not inherit its pause. */
  async retire(companionId: string): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE companions SET created = false, paused_at = NULL WHERE companion_id = ${companionId}`;
  }

  /** Pauses a companion, or ends its pause; not of one without a file that was retired. @returns since when it is paused */
  async setPaused(companionId: string, paused: boolean, isOfFile: boolean): Promise<Date | null> {
    const [row] = await this.database.writer('system').$queryRaw<{ at: Date | null }[]>`
      UPDATE companions SET paused_at = CASE WHEN ${paused} THEN coalesce(paused_at, now()) END
      WHERE companion_id = ${companionId} AND (created OR ${isOfFile}) RETURNING paused_at AS at`;
    return row?.at ?? null;
  }

  /**
   * Puts a persona in force as a new version; if it is in force already, its version stays.
   * @throws AppError `conflict` where another version is in force than the one that it was made from
   */
  async replace(persona: Persona, origin: Exclude<Origin, 'file' | 'created'>, basedOn?: number) {
    const { id, name } = persona;
    const hash = hashOf(persona);
    return this.database.write('system', async (tx) => {
      const rows = await tx.$queryRaw<{ version: number; hash: string }[]>`
        UPDATE companions SET version = version + 1, name = ${name}, hash = ${hash}, updated_at = now(),
          persona = ${JSON.stringify(persona)}::jsonb, file_hash = coalesce(file_hash, hash)
        WHERE companion_id = ${id} AND hash <> ${hash} AND version = coalesce(${basedOn ?? null}::int, version)
        RETURNING version, hash`;
      const [known] =
        rows.length > 0
          ? rows
          : await tx.$queryRaw<typeof rows>`SELECT version, hash FROM companions WHERE companion_id = ${id}`;
      if (!known) throw new Error(`no companion ${id}`);
      if (known.hash !== hash) {
        const message = `${id} is version ${known.version} by now, and this was made from another one: make the same change in that version`;
        throw new AppError('conflict', message, { field: 'basedOn' });
      }
      const changed = { persona, version: known.version };
      await noteVersion(tx, changed, origin);
      return changed;
    });
  }
}

function hashOf(persona: Persona): string {
  return hash('sha256', JSON.stringify(persona));
}
