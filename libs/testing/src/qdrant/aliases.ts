import { NotInThisDouble } from './filter.js';

export type AliasAction =
  | { create_alias: { collection_name: string; alias_name: string } }
  | { delete_alias: { alias_name: string } }
  | { rename_alias: object };

/** A name or an id that a request speaks of and nothing has: answered with 404, as Qdrant does. */
export class UnknownName extends Error {}

/** Other names of collections. */
export class Aliases {
  private names = new Map<string, string>();

  list(): { alias_name: string; collection_name: string }[] {
    return [...this.names].map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
  }

  /** Gives the collection that a name stands for: itself, where it is no alias. */
  resolve(name: string): string {
    return this.names.get(name) ?? name;
  }

  /** Changes all of them, or none. */
  change(
    actions: readonly AliasAction[],
    collections: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  ): void {
    const changed = new Map(this.names);
    for (const action of actions) {
      if ('create_alias' in action) {
        const { alias_name, collection_name } = action.create_alias;
        if (!collections.has(collection_name)) throw new UnknownName(collection_name);
        changed.set(alias_name, collection_name);
      } else if ('delete_alias' in action) {
        if (!changed.delete(action.delete_alias.alias_name))
          throw new UnknownName(action.delete_alias.alias_name);
      } else throw new NotInThisDouble('renaming an alias');
    }
    this.names = changed;
  }

  /** Removes those of a collection that is gone. */
  drop(collection: string): void {
    for (const [alias, named] of this.names) if (named === collection) this.names.delete(alias);
  }

  clear(): void {
    this.names.clear();
  }
}
