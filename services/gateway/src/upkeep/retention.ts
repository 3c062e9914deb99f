import { DAY_MS } from '@kith/contracts';
import { deleteInBatches, inBatches, sql, type Database, type Sql } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Erasures } from '../erasure/erasures.js';
import type { PlaceDeleter } from './place-deleter.js';

/** Days for which something is kept. */
export interface RetentionDays {
  /** Copies of what was said that a turn works with, which go with the conversation at the latest; 0: as long as that. */
  workingTexts: number;
  /** The conversations themselves; 0: for ever. */
  transcript: number;
  /** The log of what operators did. */
  audit: number;
  /** Talk of a server, from when the app left it. */
  leftServers: number;
}

/** Rows that change in one transaction, so that none holds many for long. */
const BATCH = 2_000;
/** Days for which a browser's session is listed after its end, for who looks into it: as long as one lasts. */
const ENDED_SESSION_DAYS = 30;
/**
 * Days for which the gateway knows that somebody talked in private: doors bring what was said a day late at most, and a
 * turn that fails is given up within hours. The rest is for a suite that stands still.
 */
const PRIVATE_TIME_DAYS = 30;

/** Deletes expired data. Every part is safe to repeat and to interrupt, and holds up no other. */
export class Retention {
  constructor(
    private readonly parts: {
      database: Database;
      messenger: Pick<Messenger, 'scrubDisk'>;
      erasures: Pick<Erasures, 'resume'>;
      places: Pick<PlaceDeleter, 'deleteLeft'>;
      days: RetentionDays;
      logger: Logger;
    },
  ) {}

  /**
   * Runs the nightly job.
   * @throws the first part's fault, once all have run; the others are logged
   */
  async run(now: Date): Promise<void> {
    const { workingTexts, transcript, leftServers, audit } = this.parts.days;
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    // Without its line nobody finds a copy any more when its words are forgotten.
    const copies = Math.min(...[workingTexts, transcript].filter((days) => days > 0));
    const parts = {
      texts: async () => (copies === Infinity ? 0 : this.emptyTexts(ago(copies))),
      lines: async () => (transcript === 0 ? 0 : this.deleteLines(ago(transcript))),
      // A talk is held for minutes, and read again if these are gone.
      changes: () => this.delete('transcript_changes', sql`at < ${ago(1)}`),
      actions: () => this.delete('operator_actions', sql`at < ${ago(audit)}`),
      // The key of each still shows who made it and its last use.
      sessions: () =>
        this.delete(
          'api_keys',
          sql`session_of IS NOT NULL AND least(expires_at, revoked_at) < ${ago(ENDED_SESSION_DAYS)}`,
        ),
      privateTimes: () => this.dropPrivateTimes(ago(PRIVATE_TIME_DAYS)),
      places: () => this.parts.places.deleteLeft(ago(leftServers)),
      erasures: () => this.parts.erasures.resume(),
    };
    const counts: Record<string, number> = {};
    const faults: unknown[] = [];
    for (const [name, part] of Object.entries(parts)) {
      try {
        counts[name] = await part();
      } catch (error) {
        faults.push(error);
      }
    }
    this.parts.messenger.scrubDisk();
    const isEmpty = Object.values(counts).every((count) => count === 0);
    this.parts.logger[isEmpty ? 'debug' : 'info'](counts, 'retention deleted expired data');
    for (const err of faults.slice(1)) this.parts.logger.error({ err }, 'a part of retention failed');
    if (faults.length > 0) throw faults[0];
  }

  /** Empties texts. Messages and turns stay, so that an id that comes again is known, and a turn's outcome too. */
  private async emptyTexts(before: Date): Promise<number> {
    return (
      (await this.inBatches(
        sql`UPDATE inbox SET text = '', target = NULL WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM inbox WHERE outcome IS NOT NULL AND ended_at < ${before} AND (text <> '' OR target IS NOT NULL)
          LIMIT ${BATCH}))`,
      )) +
      (await this.inBatches(
        sql`UPDATE outbox SET text = '', target = '{}' WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM outbox WHERE status <> 'pending' AND settled_at < ${before} AND (text <> '' OR target <> '{}')
          LIMIT ${BATCH}))`,
      )) +
      (await this.inBatches(
        sql`UPDATE turns SET trace = trace - 'recalled' - 'alsoShown' WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM turns WHERE ended_at < ${before} AND jsonb_exists(trace, 'recalled')
          ORDER BY ended_at LIMIT ${BATCH}))`,
      )) +
      (await this.delete('tool_calls', sql`asked_at < ${before}`)) +
      (await this.delete('turn_steps', sql`at < ${before}`))
    );
  }

  /**
   * Deletes lines, those of a turn together: the rest of a turn would not tell any more where it came from. Their
   * copies in the outbox go with them, also of replies that arrived days later. Copies are locked first, as by whoever
   * empties lines: the other order would be a deadlock. What is delivered after that finds no line, and keeps no copy
   * (`noteDelivered`).
   */
  private deleteLines(before: Date): Promise<number> {
    return this.inBatches(
      sql`WITH old AS MATERIALIZED (SELECT turn_id FROM transcript WHERE at < ${before} LIMIT ${BATCH}),
        copies AS MATERIALIZED (
          SELECT id, status FROM outbox
          WHERE turn_id IN (SELECT turn_id FROM old) AND (text <> '' OR target <> '{}') ORDER BY id FOR UPDATE),
        emptied AS (
          UPDATE outbox SET text = '', target = '{}' FROM copies
          WHERE outbox.id = copies.id AND copies.status <> 'pending' RETURNING 1)
        DELETE FROM transcript WHERE turn_id IN (SELECT turn_id FROM old) AND (SELECT count(*) FROM emptied) >= 0`,
    );
  }

  private dropPrivateTimes(before: Date): Promise<number> {
    return this.inBatches(
      sql`UPDATE people SET private_ended = private_ended * tstzmultirange(tstzrange(${before}, NULL))
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM people WHERE lower(private_ended) < ${before} LIMIT ${BATCH}))`,
    );
  }

  private delete(table: string, which: Sql): Promise<number> {
    return deleteInBatches(this.parts.database, 'system', table, which, BATCH);
  }

  private inBatches(statement: Sql): Promise<number> {
    return inBatches(BATCH, () => this.parts.database.writer('system').$executeRaw(statement));
  }
}
