import { IANAZone } from 'luxon';

// No zone has changed its clock at another time than a quarter of an hour since 1972.
const QUARTER_MS = 15 * 60_000;

// oxlint-disable-next-line typescript/unbound-method -- called with the zone that it is asked of
const offsetOf = IANAZone.prototype.offset;
const known = new Map<string, number>();

/** Asks Intl once for each zone and quarter of an hour: nine tenths of a simulation went into asking. */
export function cacheOffsets(): void {
  IANAZone.prototype.offset = function offset(this: IANAZone, at: number): number {
    const quarter = Math.floor(at / QUARTER_MS);
    const key = `${this.name} ${quarter}`;
    const found = known.get(key) ?? offsetOf.call(this, quarter * QUARTER_MS);
    known.set(key, found);
    return found;
  };
}
