import { Injectable } from '@nestjs/common';
import type { personalityContract, RequestOutput, ResponseInput } from '@kith/contracts';
import type { Companion } from '../persona/in-force.js';
import { FAINTEST_QUIRK, fadedTo } from '../quirks/quirk.js';
import { bondView } from '../relationship/bond.js';
import type { AffectRecords } from '../storage/affect-records.js';
import type { Explanations } from '../storage/explanations.js';

type Asked<Name extends 'affectEvents' | 'diary' | 'felt'> = RequestOutput<
  (typeof personalityContract)[Name]
>;

/** Why a companion is as it is: what moved it, what it picked up, how it stands to somebody. */
@Injectable()
export class ExplanationService {
  constructor(
    private readonly records: AffectRecords,
    private readonly explanations: Explanations,
  ) {}

  async events({
    companionId,
    viewer,
    asker,
    from,
    to,
    limit,
    cursor,
  }: Asked<'affectEvents'>): Promise<ResponseInput<typeof personalityContract.affectEvents>> {
    const rows = await this.explanations.events(viewer, {
      ...{ companionId, asker, limit, cursor: cursor ?? null },
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    });
    const page = rows.slice(0, limit);
    return {
      events: page.map(({ view }) => view),
      nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** How strongly turns of people's were felt. */
  felt({ whose }: Asked<'felt'>): ReturnType<Explanations['strongest']> {
    return this.explanations.strongest(whose);
  }

  async relationship(
    companion: Companion,
    personId: string,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.relationship>> {
    const { bond, jokes } = await this.records.standing(companion, personId);
    return bondView(bond, now.getTime(), jokes);
  }

  async quirks(
    { view, quirkRules }: Companion,
    viewer: string | null,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.quirks>> {
    const today = now.toISOString().slice(0, 10);
    const quirks = (await this.explanations.quirks(viewer, view.id))
      .map((quirk) => ({ ...quirk, ...fadedTo(quirk, today, quirkRules) }))
      .filter(({ strength }) => strength >= FAINTEST_QUIRK)
      .sort((one, other) => other.strength - one.strength || (one.text < other.text ? -1 : 1));
    return {
      quirks: quirks.map(({ kind, text, strength, origin, since, sources }) => ({
        ...{ kind, text, strength, origin, sources },
        since: since.toISOString(),
      })),
    };
  }

  async diary({
    companionId,
    viewer,
    before,
    limit,
  }: Asked<'diary'>): Promise<ResponseInput<typeof personalityContract.diary>> {
    const rows = await this.explanations.diary(viewer, companionId, before ?? null, limit);
    const entries = rows.slice(0, limit);
    return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.day ?? null) : null };
  }
}
