import { randomUUID } from 'node:crypto';
import { Collection, showPoint, WrongInput, type CollectionSpec, type PointInput } from './collection.js';

interface Held {
  spec: CollectionSpec;
  indexes: [string, unknown][];
  points: PointInput[];
}

/** Snapshots of the double's collections: files whose content is its own affair, as Qdrant's are. */
export class Snapshots {
  private readonly files = new Map<string, Buffer>();

  create(name: string, collection: Collection): { name: string; size: number; creation_time: string } {
    const held: Held = {
      spec: collection.spec,
      indexes: [...collection.payloadIndexes],
      points: [...collection.points.values()].map((point) => showPoint(point, true, true) as never),
    };
    const file = `${name}-${randomUUID()}.snapshot`;
    this.files.set(file, Buffer.from(JSON.stringify(held)));
    return { name: file, size: this.files.get(file)!.length, creation_time: new Date(0).toISOString() };
  }

  list(name: string): { name: string; size: number }[] {
    const own = [...this.files].filter(([file]) => file.startsWith(`${name}-`));
    return own.map(([file, content]) => ({ name: file, size: content.length }));
  }

  read(file: string): Buffer | undefined {
    return this.files.get(file);
  }

  delete(file: string): boolean {
    return this.files.delete(file);
  }

  /** Makes the collection that an upload holds: a form of one file. */
  restore(upload: Buffer, contentType: string): Collection {
    const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
    const begin = upload.indexOf('\r\n\r\n') + 4;
    const end = upload.lastIndexOf(`\r\n--${boundary}--`);
    if (begin < 4 || end < begin || !upload.subarray(0, begin).includes('name="snapshot"'))
      throw new WrongInput('the form has no file called snapshot');
    const held = JSON.parse(upload.subarray(begin, end).toString('utf8')) as Held;
    const collection = new Collection(held.spec);
    for (const [field, schema] of held.indexes) collection.createPayloadIndex(field, schema);
    collection.upsert(held.points);
    return collection;
  }
}
