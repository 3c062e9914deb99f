import { useState } from 'react';
import { loadDraft, saveDraft } from './draft-store.js';

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
