import { NeedName } from '@kith/contracts';

/** Settings of one need in one companion. */
export interface NeedSetting {
  /** Speed at which it moves by itself: a day takes 1 − e^(−perDay) of what is left. */
  perDay: number;
  /** Importance in [0, 1]. At 0 it is never urgent. */
  weight: number;
}
export type NeedSettings = Readonly<Record<NeedName, NeedSetting>>;

/**
 * For a persona that says nothing of a need: half unmet after two days to a week without anything that meets it,
 * so that a quiet weekend presses on nobody. Rest comes back within a night.
 */
const USUAL: NeedSettings = {
  belonging: { perDay: 0.2, weight: 0.6 },
  novelty: { perDay: 0.3, weight: 0.6 },
  competence: { perDay: 0.15, weight: 0.5 },
  autonomy: { perDay: 0.1, weight: 0.4 },
  rest: { perDay: 3, weight: 0.5 },
  play: { perDay: 0.25, weight: 0.5 },
  care: { perDay: 0.15, weight: 0.5 },
};

/** The settings of a persona that names some needs, or some of their numbers. */
export function needSettings(
  named: Partial<Record<NeedName, { perDay?: number | undefined; weight?: number | undefined }>> = {},
): NeedSettings {
  return eachNeed((need) => ({
    perDay: named[need]?.perDay ?? USUAL[need].perDay,
    weight: named[need]?.weight ?? USUAL[need].weight,
  }));
}

/** Makes a record with one value for each need. */
export function eachNeed<T>(make: (need: NeedName) => T): Record<NeedName, T> {
  return Object.fromEntries(NeedName.options.map((need) => [need, make(need)])) as Record<NeedName, T>;
}
