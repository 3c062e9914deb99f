import { z } from 'zod';
import { openBrowserStore } from './browser-store.js';

const tab = openBrowserStore('sessionStorage');

export interface TabStore<T> {
  /** Loads what this person wrote; null where nothing is kept, or somebody else's. */
  load: (personId: string) => T | null;
  /** Keeps it, and drops everything kept before. */
  save: (personId: string, written: T) => void;
  drop: () => void;
}

/**
 * Keeps what a person wrote and has not said yet: it outlives a reload of the tab, not the tab. It is kept with its
 * person: another one who signs in here must not see or say it.
 */
export function openTabStore<T>(name: string, schema: z.ZodType<T>): TabStore<T> {
  const Kept = z.object({ personId: z.string(), written: schema });
  return {
    load: (personId) => {
      try {
        const kept = Kept.parse(JSON.parse(tab.read(name) ?? 'null'));
        return kept.personId === personId ? kept.written : null;
      } catch {
        // Nothing is kept, or another version wrote it: nothing in that can be relied upon.
        return null;
      }
    },
    save: (personId, written) => tab.write(name, JSON.stringify({ personId, written })),
    drop: () => tab.drop(name),
  };
}
