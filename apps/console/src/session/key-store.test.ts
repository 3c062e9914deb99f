import { describe, expect, it } from '@jest/globals';
import { dropKey, keepKey, keepsKeys, keptKey } from './key-store.js';

describe('the key in a browser', () => {
  it('is kept for this page alone where the browser blocks the data of sites', () => {
    const window = {
      get localStorage(): Storage {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    };
    Object.assign(globalThis, { window });
    expect([keptKey(), keepsKeys()]).toEqual([null, false]);
    keepKey('kth_one');
    expect(keptKey()).toBe('kth_one');
    dropKey();
    expect(keptKey()).toBeNull();
  });

  it('takes no earlier one along where there is no room left', () => {
    const kept = new Map([['kith.key', 'kth_earlier']]);
    const localStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
      removeItem: (name: string) => kept.delete(name),
    };
    Object.assign(globalThis, { window: { localStorage } });
    expect([keptKey(), keepsKeys()]).toEqual(['kth_earlier', false]);
    keepKey('kth_later');
    expect([keptKey(), kept.size]).toEqual(['kth_later', 0]);
    dropKey();
    expect(keptKey()).toBeNull();
  });
});
