import { UnknownName } from './aliases.js';
import {
  matchesFilter,
  NotInThisDouble,
  requiredValues,
  valuesOf,
  type Filter,
  type Payload,
} from './filter.js';

export type PointId = string | number;
export interface Sparse {
  indices: number[];
  values: number[];
}
type AnyVector = number[] | Sparse;

export interface CollectionSpec {
  vectors?: Record<string, { size: number; distance: string }> | { size: number; distance: string };
  sparse_vectors?: Record<string, { modifier?: 'none' | 'idf' | null }> | null;
  hnsw_config?: Record<string, unknown> | null;
}

export interface PointInput {
  id: PointId;
  vector: Record<string, AnyVector> | number[];
  payload?: Payload | null;
}

interface Point {
  id: PointId;
  dense: Map<string, number[]>;
  sparse: Map<string, Sparse>;
  payload: Payload;
}

/** A request that fits the description and is wrong all the same: answered with 400, as Qdrant does. */
export class WrongInput extends Error {}

const isSparse = (vector: AnyVector): vector is Sparse => !Array.isArray(vector);
/** The name of the one vector of a collection that was made without names. */
const UNNAMED = '';

/** One collection in memory: searched by looking at every point, so exact. */
export class Collection {
  readonly points = new Map<PointId, Point>();
  readonly payloadIndexes = new Map<string, unknown>();
  /** Points that hold a value, by keyword index. */
  private readonly holders = new Map<string, Map<unknown, Map<PointId, Point>>>();
  private readonly dense: Map<string, { size: number; distance: string }>;
  private readonly sparse: Map<string, { modifier?: 'none' | 'idf' | null }>;

  constructor(readonly spec: CollectionSpec) {
    const vectors = spec.vectors ?? {};
    this.dense = new Map(
      'size' in vectors
        ? [[UNNAMED, vectors as { size: number; distance: string }]]
        : Object.entries(vectors),
    );
    this.sparse = new Map(Object.entries(spec.sparse_vectors ?? {}));
    for (const { distance } of this.dense.values()) {
      if (distance !== 'Cosine' && distance !== 'Dot') throw new NotInThisDouble(`distance ${distance}`);
    }
  }

  /** All or none, as Qdrant validates a batch before it writes it. */
  upsert(inputs: PointInput[]): void {
    const points = inputs.map((input) => this.read(input));
    for (const point of points) {
      this.remove(point.id);
      this.points.set(point.id, point);
      for (const key of this.holders.keys()) this.hold(key, point);
    }
  }

  /** Notes an index of a payload field; by one of keywords `matching` finds its points faster. */
  createPayloadIndex(key: string, schema: unknown): void {
    this.payloadIndexes.set(key, schema);
    const isKeyword = schema === 'keyword' || (schema as { type?: string }).type === 'keyword';
    if (!isKeyword || this.holders.has(key)) return;
    this.holders.set(key, new Map());
    for (const point of this.points.values()) this.hold(key, point);
  }

  /** Replaces these vectors of points that are there; a point that is not is refused, as Qdrant does. */
  updateVectors(inputs: Pick<PointInput, 'id' | 'vector'>[]): void {
    const read = inputs.map((input) => this.read(input));
    for (const { id } of read) {
      if (!this.points.has(id)) throw new UnknownName(`Not found: No point with id ${id} found`);
    }
    for (const { id, dense, sparse } of read) {
      const point = this.points.get(id)!;
      for (const [name, vector] of dense) point.dense.set(name, vector);
      for (const [name, vector] of sparse) point.sparse.set(name, vector);
    }
  }

  delete(selector: { points?: PointId[]; filter?: Filter }): void {
    const gone = selector.points ?? this.matching(selector.filter).map(({ id }) => id);
    for (const id of gone) this.remove(id);
  }

  matching(filter: Filter | null | undefined): Point[] {
    const narrowed = requiredValues(filter).flatMap(({ key, value }) => {
      const values = this.holders.get(key);
      return values ? [values.get(value) ?? new Map<PointId, Point>()] : [];
    });
    const fewest = [this.points, ...narrowed].reduce((a, b) => (b.size < a.size ? b : a));
    return [...fewest.values()].filter(({ id, payload }) => matchesFilter(filter, id, payload));
  }

  private hold(key: string, point: Point): void {
    const values = this.holders.get(key)!;
    for (const value of valuesOf(point.payload, key)) {
      const holders = values.get(value) ?? new Map<PointId, Point>();
      values.set(value, holders.set(point.id, point));
    }
  }

  private remove(id: PointId): void {
    const point = this.points.get(id);
    if (!point) return;
    this.points.delete(id);
    for (const [key, values] of this.holders) {
      for (const value of valuesOf(point.payload, key)) values.get(value)?.delete(id);
    }
  }

  /** Best first. Without a query: by id, with score 0. */
  search(
    query: AnyVector | undefined,
    using: string | null | undefined,
    filter: Filter | null | undefined,
  ): { point: Point; score: number }[] {
    const name = using ?? UNNAMED;
    const points = this.matching(filter);
    if (!query) return points.sort(byId).map((point) => ({ point, score: 0 }));
    const scored = isSparse(query) ? this.bySparse(query, name, points) : this.byDense(query, name, points);
    return scored.sort((a, b) => b.score - a.score || byId(a.point, b.point));
  }

  /**
   * In the order of a payload field, with score 0; points without it are left out. Refused without an index of it, as
   * Qdrant does.
   */
  inOrder(
    { key, direction }: { key: string; direction: 'asc' | 'desc' },
    filter: Filter | null | undefined,
  ): { point: Point; score: number }[] {
    if (this.payloadIndexes.get(key) !== 'datetime') {
      throw new WrongInput(`Bad request: No range index for \`order_by\` key: \`${key}\``);
    }
    const sign = direction === 'asc' ? 1 : -1;
    return this.matching(filter)
      .map((point) => ({ point, at: Date.parse(String(point.payload[key])) }))
      .filter(({ at }) => !Number.isNaN(at))
      .sort((a, b) => sign * (a.at - b.at) || byId(a.point, b.point))
      .map(({ point }) => ({ point, score: 0 }));
  }

  private byDense(query: number[], name: string, points: Point[]): { point: Point; score: number }[] {
    const vector = this.checkDense(name, query);
    return points.flatMap((point) => {
      const held = point.dense.get(name);
      return held ? [{ point, score: dot(vector, held) }] : [];
    });
  }

  private bySparse(query: Sparse, name: string, points: Point[]): { point: Point; score: number }[] {
    this.checkSparse(name, query);
    const weights = new Map(
      query.indices.map((index, i) => [index, query.values[i]! * this.idf(name, index)]),
    );
    return points.flatMap((point) => {
      const held = point.sparse.get(name);
      // A point that shares no index with the query is not found at all.
      if (!held?.indices.some((index) => weights.has(index))) return [];
      return [
        {
          point,
          score: held.indices.reduce((sum, index, i) => sum + (weights.get(index) ?? 0) * held.values[i]!, 0),
        },
      ];
    });
  }

  /** Over the whole collection, as Qdrant keeps it: ln(1 + (N − n + ½) / (n + ½)). */
  private idf(name: string, index: number): number {
    if (this.sparse.get(name)?.modifier !== 'idf') return 1;
    const holders = [...this.points.values()].flatMap((point) => point.sparse.get(name) ?? []);
    const n = holders.filter(({ indices }) => indices.includes(index)).length;
    return Math.log(1 + (holders.length - n + 0.5) / (n + 0.5));
  }

  private read(input: PointInput): Point {
    const named = Array.isArray(input.vector) ? { [UNNAMED]: input.vector } : input.vector;
    const point: Point = { id: input.id, dense: new Map(), sparse: new Map(), payload: input.payload ?? {} };
    for (const [name, vector] of Object.entries(named)) {
      if (isSparse(vector)) point.sparse.set(name, this.checkSparse(name, vector));
      else point.dense.set(name, this.checkDense(name, vector));
    }
    return point;
  }

  private checkDense(name: string, vector: number[]): number[] {
    const params = this.dense.get(name);
    if (!params) throw new WrongInput(`Wrong input: Not existing vector name error: ${name}`);
    if (vector.length !== params.size) {
      throw new WrongInput(
        `Wrong input: Vector dimension error: expected dim: ${params.size}, got ${vector.length}`,
      );
    }
    return params.distance === 'Cosine' ? normalised(vector) : vector;
  }

  private checkSparse(name: string, vector: Sparse): Sparse {
    if (!this.sparse.has(name)) throw new WrongInput(`Wrong input: Not existing vector name error: ${name}`);
    if (vector.indices.length !== vector.values.length) {
      throw new WrongInput('Validation error: must be the same length as indices');
    }
    if (new Set(vector.indices).size !== vector.indices.length) {
      throw new WrongInput('Validation error: indices must be unique');
    }
    return vector;
  }
}

/** Parts of a point that go into an answer. */
export function showPoint(point: Point, withPayload: unknown, withVector: unknown): Record<string, unknown> {
  const shown: Record<string, unknown> = { id: point.id };
  if (withPayload === true) shown['payload'] = point.payload;
  else if (Array.isArray(withPayload)) {
    const wanted = Object.entries(point.payload).filter(([key]) => withPayload.includes(key));
    shown['payload'] = Object.fromEntries(wanted);
  } else if (typeof withPayload === 'object' && withPayload !== null) {
    throw new NotInThisDouble('including and excluding payload fields');
  }
  if (withVector === true || Array.isArray(withVector)) {
    const all = { ...Object.fromEntries(point.dense), ...Object.fromEntries(point.sparse) };
    const wanted = Object.entries(all).filter(
      ([name]) => withVector === true || (withVector as string[]).includes(name),
    );
    shown['vector'] = UNNAMED in all ? all[UNNAMED] : Object.fromEntries(wanted);
  }
  return shown;
}

export function byId(a: { id: PointId }, b: { id: PointId }): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function normalised(vector: number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}
