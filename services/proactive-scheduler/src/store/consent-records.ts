import {
  AppError,
  OutreachChannelMode,
  OutreachRestriction,
  type OutreachSettings,
  type OutreachSettingsChange,
  type outreachContract,
  type RequestOutput,
  timesAsText,
} from '@kith/contracts';
import { columnOf, type Database, type OutreachSettingModel, type Tx } from '@kith/database';
import { planConsent, type Consent } from '../decision/plan-consent.js';
import { callOff } from './end-attempt.js';
import { endConsent } from './end-consent.js';
import { moveByClock } from './move-by-clock.js';
import { IS_UNPLACED, unplace } from './place-again.js';
import { ensureSettings, lockSettings, settingsOf } from './stored-settings.js';

/** Permissions of people and bans of operators, in Postgres. Each method is one transaction. */
export class ConsentRecords {
  constructor(
    private readonly database: Database,
    /** Defaults of a person without settings. */
    private readonly defaults: OutreachSettings,
  ) {}

  /**
   * Changes the given settings and keeps the rest. Opting out drops
   * every open reason, and withdrawing a place cancels attempts for it that have not begun. A day or an hour that was
   * named stays the same in a new time zone.
   * @throws AppError `forbidden` for a channel that the operator closed to outreach
   */
  change(personId: string, { optedIn, direct, channel, ...rest }: OutreachSettingsChange, now: Date) {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return this.database.asPerson(personId, async (tx) => {
      if (typeof channel === 'string') await refuseQuiet(tx, channel);
      await ensureSettings(tx, personId, this.defaults);
      // Of two concurrent changes, the second sees the result of the first.
      await lockSettings(tx, personId);
      const before = await tx.outreachSetting.findUniqueOrThrow({ where: { personId } });
      const consent = planConsent(before, { optedIn, direct, channel });
      const isNewPlace = typeof channel === 'string' || consent.channelId !== before.channelId;
      const after = await tx.outreachSetting.update({
        where: { personId },
        data: {
          ...given,
          ...(rest.timeZone === undefined ? {} : { zoneNamed: true }),
          ...consent,
          ...(isNewPlace ? { channelProblem: null } : {}),
          // Given again, it is newer than words that withdraw it and are read late.
          ...(consent.optedIn && (optedIn === true || typeof channel === 'string') ? { optedInAt: now } : {}),
        },
      });
      // Reasons are dropped on opting out only: those given before opting in wait for it.
      const ends = optedIn === false || (before.optedIn && !consent.optedIn);
      await (ends ? endConsent(tx, personId) : withdraw(tx, personId, consent));
      if (after.timeZone !== before.timeZone) await followZone(tx, before, after.timeZone, now);
      return settingsOf(after, this.defaults);
    });
  }

  /** Lists people after one who named no zone, and are kept in another than the suite's is now; by their ids. */
  peopleToMove(after: string, limit: number): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT person_id FROM outreach_settings
      WHERE NOT zone_named AND time_zone <> ${this.defaults.timeZone} AND person_id > ${after}::uuid
      ORDER BY person_id LIMIT ${limit}`;
  }

  /** Lists people after one with a reason that is to be placed again; by their ids. */
  peopleToPlace(after: string, limit: number): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT DISTINCT person_id FROM intentions AS one
      WHERE ${IS_UNPLACED} AND person_id > ${after}::uuid
      ORDER BY person_id LIMIT ${limit}`;
  }

  /** Moves a person who named no zone to the suite's. A day or an hour that was named stays the same. */
  async moveToSuite(personId: string, now: Date): Promise<void> {
    const { timeZone } = this.defaults;
    await this.database.asPerson(personId, async (tx) => {
      await lockSettings(tx, personId);
      const before = await tx.outreachSetting.findUnique({ where: { personId } });
      // They may have named one meanwhile, or be erased.
      if (before === null || before.zoneNamed) return;
      await tx.outreachSetting.update({ where: { personId }, data: { timeZone } });
      await followZone(tx, before, timeZone, now);
    });
  }

  /**
   * Sets or lifts an operator's restriction of a person. Their reasons stay, and wait or become too old; attempts that
   * have not begun are cancelled.
   */
  restrict(
    personId: string,
    { ageState, restUntil }: RequestOutput<typeof outreachContract.restrict>['change'],
    now: Date,
  ): Promise<OutreachRestriction> {
    return this.database.asPerson(personId, async (tx) => {
      await ensureSettings(tx, personId, this.defaults);
      const row = await tx.outreachSetting.update({
        where: { personId },
        data: {
          ...(ageState === undefined ? {} : { ageState }),
          ...(restUntil === undefined ? {} : { restUntil: restUntil === null ? null : new Date(restUntil) }),
        },
      });
      const rests = row.restUntil !== null && row.restUntil > now;
      if (row.ageState === 'minor' || rests) await callOff(tx, { personId }, { reopens: true });
      return OutreachRestriction.parse(timesAsText(row));
    });
  }

  /** Allows or forbids outreach in a channel, for the operator. */
  async setChannelMode({ channelId, mode }: OutreachChannelMode): Promise<OutreachChannelMode> {
    const row = await this.database.asSystem((tx) =>
      tx.outreachChannel.upsert({ where: { channelId }, create: { channelId, mode }, update: { mode } }),
    );
    return OutreachChannelMode.parse(row);
  }

  /** Lists the channels that an operator allowed or forbade. */
  async channelModes(): Promise<OutreachChannelMode[]> {
    const rows = await this.database.asSystem((tx) =>
      tx.outreachChannel.findMany({ orderBy: { channelId: 'asc' } }),
    );
    return rows.map((row) => OutreachChannelMode.parse(row));
  }
}

/** Keeps a named day or hour the same in another zone. Words that were read in a zone that nobody named are read again. */
async function followZone(tx: Tx, before: OutreachSettingModel, to: string, now: Date): Promise<void> {
  const { personId, timeZone: from, zoneNamed } = before;
  await moveByClock(tx, personId, { from, to, now });
  if (!zoneNamed) await unplace(tx, personId);
}

async function refuseQuiet(tx: Tx, channelId: string): Promise<void> {
  const channel = await tx.outreachChannel.findUnique({ where: { channelId } });
  if (channel?.mode === 'off')
    throw new AppError('forbidden', `the operator allows no outreach in channel ${channelId}`);
}

/** Cancels attempts for a place that is not allowed any more. Where another is allowed, the reasons may go there. */
async function withdraw(tx: Tx, personId: string, { direct, channelId }: Consent): Promise<void> {
  // Direct messages have no channel id. `not` never matches NULL, so the second condition covers them.
  const withdrawn = [{ channelId: { not: channelId } }, ...(direct ? [] : [{ channelId: null }])];
  await callOff(tx, { personId, OR: withdrawn }, { reopens: true });
}
