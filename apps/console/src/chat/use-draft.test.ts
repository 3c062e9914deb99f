import { beforeEach, describe, expect, it } from '@jest/globals';
import { dropWordsOfOthers } from '../page/tab-store.js';
import { loadDraft, saveDraft } from './use-draft.js';

describe('drafts', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    };
    Object.assign(globalThis, { window: { sessionStorage } });
  });

  it('are kept for each companion, and are gone once they are sent or dropped', () => {
    saveDraft('ada', 'mira', 'Half a thought');
    saveDraft('ada', 'odo', 'Another');
    expect(loadDraft('ada', 'mira')).toBe('Half a thought');
    saveDraft('ada', 'mira', '');
    expect([loadDraft('ada', 'mira'), loadDraft('ada', 'odo')]).toEqual(['', 'Another']);
    dropWordsOfOthers(null);
    expect(loadDraft('ada', 'odo')).toBe('');
  });

  it('never come to another person, and give way to theirs', () => {
    saveDraft('ada', 'mira', 'My words');
    expect(loadDraft('ben', 'mira')).toBe('');
    saveDraft('ben', 'odo', 'His');
    expect(loadDraft('ada', 'mira')).toBe('');
  });

  it('stay for their writer alone when somebody signs in', () => {
    saveDraft('ada', 'mira', 'My words');
    dropWordsOfOthers('ada');
    expect(loadDraft('ada', 'mira')).toBe('My words');
    dropWordsOfOthers('ben');
    expect(window.sessionStorage.getItem('kith.drafts')).toBeNull();
  });

  it('stay on this page where the tab has no room left, and no earlier ones come back', () => {
    saveDraft('ada', 'mira', 'Before');
    const { sessionStorage } = window;
    sessionStorage.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    saveDraft('ada', 'mira', 'After');
    expect([loadDraft('ada', 'mira'), sessionStorage.getItem('kith.drafts')]).toEqual(['After', null]);
    dropWordsOfOthers(null);
    expect(loadDraft('ada', 'mira')).toBe('');
  });
});
