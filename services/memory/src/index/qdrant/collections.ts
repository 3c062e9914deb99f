import type { EmbeddingSpace } from '@kith/contracts';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { ifNotFound, reaching, statusOf } from './qdrant-errors.js';

/** Names of the vectors of a point. */
export const DENSE = 'dense';
export const LEXICAL = 'bm25';

/** End of the alias of the collection that recall searches. No space has this id: they all end in their dimensions. */
const IN_USE = 'in-use';

/** Makes the collections of embedding spaces, with their payload indexes. */
export class Collections {
  private readonly ready = new Map<string, Promise<void>>();

  constructor(
    private readonly client: QdrantClient,
    readonly prefix: string,
    private readonly checkServer: () => Promise<void>,
  ) {}

  /** Gives the name of a space's collection. */
  nameOf(spaceId: string): string {
    return this.prefix + spaceId;
  }

  /** Makes a space's collection where it is missing. Cheap after the first time. */
  ensure(space: EmbeddingSpace): Promise<void> {
    const name = this.nameOf(space.id);
    const ready = this.ready.get(name) ?? reaching(() => this.make(space));
    this.ready.set(name, ready);
    ready.catch(() => this.ready.delete(name));
    return ready;
  }

  /**
   * Points an alias at the collection that recall searches, in one step, for dashboards and an operator's own tools. Recall
   * itself does not use it: a row in Postgres names the space, so that the vectors of questions and the collection change
   * at the same moment.
   */
  async nameInUse(spaceId: string): Promise<void> {
    const [alias_name, collection_name] = [this.nameOf(IN_USE), this.nameOf(spaceId)];
    await reaching(async () => {
      const { aliases } = await this.client.getAliases();
      const held = aliases.find((alias) => alias.alias_name === alias_name);
      if (held?.collection_name === collection_name) return;
      const actions = [
        ...(held ? [{ delete_alias: { alias_name } }] : []),
        { create_alias: { collection_name, alias_name } },
      ];
      await this.client.updateCollectionAliases({ actions }).catch(ifNotFound(null));
    });
  }

  /** Removes a space's collection. */
  async drop(spaceId: string): Promise<void> {
    const name = this.nameOf(spaceId);
    this.ready.delete(name);
    await reaching(() => this.client.deleteCollection(name));
  }

  /** Makes a space's collection, or checks the one there is. Safe to repeat. */
  async make(space: EmbeddingSpace): Promise<void> {
    const name = this.nameOf(space.id);
    await this.checkServer();
    const { exists } = await this.client.collectionExists(name);
    if (exists) await this.checkDimensions(name, space);
    else await this.create(name, space);
    // Also for existing collections: one that an earlier version made lacks some.
    await this.client.createPayloadIndex(name, {
      wait: true,
      field_name: 'person_id',
      field_schema: { type: 'keyword', is_tenant: true },
    });
    for (const field_name of ['companion_id', 'audience', 'conversation']) {
      await this.client.createPayloadIndex(name, { wait: true, field_name, field_schema: 'keyword' });
    }
    await this.indexTimes(name);
  }

  /** Indexes the times of a collection, by which points are asked for in order. Safe to repeat. */
  async indexTimes(name: string): Promise<void> {
    await this.client.createPayloadIndex(name, {
      wait: true,
      field_name: 'said_at',
      field_schema: 'datetime',
    });
  }

  private async create(name: string, space: EmbeddingSpace): Promise<void> {
    try {
      await this.client.createCollection(name, {
        // oxlint-disable-next-line typescript/no-deprecated -- its successor is unknown to the servers we hold to
        vectors: { [DENSE]: { size: space.dimensions, distance: 'Cosine', on_disk: true } },
        sparse_vectors: { [LEXICAL]: { modifier: 'idf' } },
        // Each person's points get a graph of their own, and there is none over all, as nobody searches across people.
        hnsw_config: { m: 0, payload_m: 16 },
      });
    } catch (error) {
      // Another replica has just made it.
      if (statusOf(error) !== 409) throw error;
    }
  }

  private async checkDimensions(name: string, space: EmbeddingSpace): Promise<void> {
    const { config } = await this.client.getCollection(name);
    const vectors = config.params.vectors as Record<string, { size: number }> | undefined;
    const size = vectors?.[DENSE]?.size;
    if (size !== space.dimensions) {
      throw new Error(
        `collection ${name} has ${size} dimensions, the space ${space.id} has ${space.dimensions}`,
      );
    }
  }
}
