import { useState } from 'react';
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

/** Message that a person is writing to a companion: it is there again after another page, and after a reload. */
export function useDraft(personId: string, companionId: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => loadDraft(personId, companionId));
  return [
    draft,
    (text) => {
      setDraft(text);
      saveDraft(personId, companionId, text);
    },
  ];
}
