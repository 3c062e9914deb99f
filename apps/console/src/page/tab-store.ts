import { jsonOf } from '@kith/contracts';
import { z } from 'zod';
import { openBrowserStore } from './browser-store.js';

const tab = openBrowserStore('sessionStorage');

/** Functions that find whose words a store holds, by the name of the store. */
const writers = new Map<string, () => string | null>();

/** Drops what was written here by anybody but this person; all of it for null. */
export function dropWordsOfOthers(personId: string | null): void {
  for (const [name, writerOf] of writers) if (personId === null || writerOf() !== personId) tab.drop(name);
}

/**
 * Keeps what a person wrote and has not said yet: it outlives a reload of the tab, not the tab. It is kept with its
 * person: another one who signs in here must not see or say it.
 */
export function openTabStore<T>(name: string, schema: z.ZodType<T>) {
  const Kept = z.object({ personId: z.string(), written: schema });
  // Null where nothing is kept, or another version wrote it: nothing in that can be relied upon.
  const read = () => jsonOf(Kept, tab.read(name) ?? 'null');
  writers.set(name, () => read()?.personId ?? null);
  return {
    /** Loads what this person wrote; null where nothing is kept, or somebody else's. */
    load: (personId: string) => {
      const kept = read();
      return kept?.personId === personId ? kept.written : null;
    },
    /** Keeps it, and drops everything kept before. */
    save: (personId: string, written: T) => tab.write(name, JSON.stringify({ personId, written })),
    drop: () => tab.drop(name),
  };
}
