import type { personalityContract, RequestOutput, ResponseInput } from '@kith/contracts';
import { pageOf } from '@kith/database';
import type { Companion } from '../persona/companion.js';
import { FAINTEST_QUIRK, quirksOn } from '../persona/quirk.js';
import { bondView } from '../affect/bond/bond-view.js';
import { localDay } from './local-day.js';
import type { AffectRecords } from '../store/affect-records.js';
import type { ExplanationRecords } from '../store/explanation-records.js';

type ExplainRequest<Name extends 'affectEvents' | 'diary' | 'felt'> = RequestOutput<
  (typeof personalityContract)[Name]
>;

/** Explains why a companion is as it is: what moved it, what it picked up, and its bond with somebody. */
export class AffectExplainer {
  constructor(
    private readonly records: AffectRecords,
    private readonly explanations: ExplanationRecords,
  ) {}

  /** Lists the events that moved the mood, as far as the viewer may know. */
  async events(
    asked: ExplainRequest<'affectEvents'>,
  ): Promise<ResponseInput<typeof personalityContract.affectEvents>> {
    const rows = await this.explanations.events(asked);
    const { page, nextCursor } = pageOf(rows, asked.limit, ({ id }) => id);
    return { events: page.map(({ view }) => view), nextCursor };
  }

  /** Returns how strongly these turns were felt. */
  felt({ whose }: ExplainRequest<'felt'>): ReturnType<ExplanationRecords['strongest']> {
    return this.explanations.strongest(whose);
  }

  /** Shows the bond with a person. */
  async bond(
    companion: Companion,
    personId: string,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.bond>> {
    const { bond, jokes } = await this.records.snapshot(companion, personId);
    return bondView(bond, now.getTime(), jokes);
  }

  /** Lists the quirks that still show, the strongest first, with the turns behind them that the viewer may know. */
  async quirks(
    { view, quirkRules }: Companion,
    viewer: string | null,
    now: Date,
  ): Promise<ResponseInput<typeof personalityContract.quirks>> {
    const today = localDay(now, view.timeZone);
    const quirks = quirksOn(await this.explanations.quirks(viewer, view.id), today, quirkRules)
      .filter(({ strength }) => strength >= FAINTEST_QUIRK)
      .sort((one, other) => other.strength - one.strength || (one.text < other.text ? -1 : 1));
    return {
      quirks: quirks.map(({ kind, text, strength, origin, since, sources }) => ({
        ...{ kind, text, strength, origin, sources },
        since: since.toISOString(),
      })),
    };
  }

  /** Reads the diary before a day, as far as the viewer may know. */
  async diary(asked: ExplainRequest<'diary'>): Promise<ResponseInput<typeof personalityContract.diary>> {
    const rows = await this.explanations.diary(asked);
    const { page: entries, nextCursor } = pageOf(rows, asked.limit, ({ day }) => day);
    return { entries, nextCursor };
  }
}
