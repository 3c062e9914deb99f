import { z } from 'zod';
import { openTabStore } from '../page/tab-store.js';

/** Message that is being written to each companion, by its id. */
const store = openTabStore('kith.drafts', z.record(z.string(), z.string()));

/** Loads this person's draft to a companion; empty where there is none. */
export function loadDraft(personId: string, companionId: string): string {
  return store.load(personId)?.[companionId] ?? '';
}

/** Keeps this person's draft to a companion; somebody else's drafts are dropped for it. */
export function saveDraft(personId: string, companionId: string, text: string): void {
  store.save(personId, { ...store.load(personId), [companionId]: text });
}
