/** A point's payload, as it was sent. */
export type Payload = Record<string, unknown>;

export interface Filter {
  must?: Condition | Condition[] | null;
  should?: Condition | Condition[] | null;
  must_not?: Condition | Condition[] | null;
  min_should?: unknown;
}

type Condition = {
  key?: string;
  match?: { value?: unknown; any?: unknown[]; except?: unknown[] } | null;
  /** Range, which is of dates alone here. */
  range?: { gte?: string; lte?: string } | null;
  has_id?: (string | number)[];
} & Filter;

/** Thrown for what Qdrant can do and this double can't, so that no test passes by accident. */
export class NotInThisDouble extends Error {}

const listed = (conditions: Condition | Condition[] | null | undefined): Condition[] =>
  [conditions ?? []].flat();

/** Values of a point in a field: one, each of an array, or none. */
export function valuesOf(payload: Payload, key: string): unknown[] {
  const held = payload[key];
  return held === undefined ? [] : Array.isArray(held) ? (held as unknown[]) : [held];
}

/** Values that every point meeting the filter holds. */
export function requiredValues(filter: Filter | null | undefined): { key: string; value: unknown }[] {
  return listed(filter?.must).flatMap(({ key, match }) =>
    key !== undefined && match?.value !== undefined ? [{ key, value: match.value }] : [],
  );
}

/** Tells whether a point meets the filter. An array in the payload meets a match when one of its values does. */
export function matchesFilter(
  filter: Filter | null | undefined,
  id: string | number,
  payload: Payload,
): boolean {
  if (!filter) return true;
  if (filter.min_should) throw new NotInThisDouble('min_should');
  const meets = (condition: Condition): boolean => meetsCondition(condition, id, payload);
  const should = listed(filter.should);
  return (
    listed(filter.must).every(meets) &&
    !listed(filter.must_not).some(meets) &&
    (should.length === 0 || should.some(meets))
  );
}

function meetsCondition(condition: Condition, id: string | number, payload: Payload): boolean {
  if (condition.has_id) return condition.has_id.includes(id);
  if (condition.key !== undefined) {
    const { match, range, key, ...rest } = condition;
    if (!match === !range || Object.keys(rest).length > 0) {
      throw new NotInThisDouble(`this condition on ${key}`);
    }
    const values = valuesOf(payload, key);
    if (range) return values.some((value) => isInRange(value, range));
    if (!match) return false;
    if (match.value !== undefined) return values.includes(match.value);
    if (match.any) return values.some((value) => match.any?.includes(value));
    if (match.except) return values.some((value) => !match.except?.includes(value));
    throw new NotInThisDouble(`this match on ${key}`);
  }
  if (condition.must || condition.should || condition.must_not) return matchesFilter(condition, id, payload);
  throw new NotInThisDouble(`the condition ${Object.keys(condition).join(', ')}`);
}

function isInRange(value: unknown, range: { gte?: string; lte?: string }): boolean {
  const bounds = Object.entries(range);
  const known = bounds.every(([name, at]) => ['gte', 'lte'].includes(name) && !Number.isNaN(Date.parse(at)));
  if (!known) throw new NotInThisDouble('this range: it knows gte and lte of dates');
  const at = Date.parse(String(value));
  if (Number.isNaN(at)) return false;
  return at >= Date.parse(range.gte ?? '0000-01-01') && at <= Date.parse(range.lte ?? '9999-12-31');
}
