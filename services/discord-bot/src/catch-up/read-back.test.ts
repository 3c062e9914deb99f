import { describe, expect, it } from '@jest/globals';
import { readBack } from './read-back.js';

/** A place whose messages have the ids from 1 to `count`. */
function place(count: number) {
  let asked = 0;
  return {
    asked: () => asked,
    getPage: async ({ before, limit }: { before: string | undefined; limit: number }) => {
      asked += 1;
      const newest = before === undefined ? count : Number(before) - 1;
      const length = Math.max(0, Math.min(limit, newest));
      return Array.from({ length }, (_, n) => ({ id: String(newest - n) }));
    },
  };
}

const idsFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: String(from + n) }));

describe('reading back', () => {
  it('reads every page up to the last message heard, in order', async () => {
    const { getPage, asked } = place(1_000);
    const missed = await readBack(getPage, { after: '750', earliest: '1', maxMessages: 500 });
    expect(missed).toEqual({ messages: idsFrom(751, 1_000), skipped: null, nameless: 0 });
    expect(asked()).toBe(3);
  });

  it('keeps the newest where there are too many, and says so', async () => {
    const missed = await readBack(place(1_000).getPage, { after: '10', earliest: '1', maxMessages: 250 });
    expect(missed).toEqual({ messages: idsFrom(751, 1_000), skipped: 'too many', nameless: 0 });
  });

  it('says when something was missed that is too old, and not when that was heard', async () => {
    const { getPage } = place(300);
    expect(await readBack(getPage, { after: '100', earliest: '290', maxMessages: 50 })).toEqual({
      messages: idsFrom(290, 300),
      skipped: 'too old',
      nameless: 0,
    });
    const heard = await readBack(getPage, { after: '295', earliest: '290', maxMessages: 50 });
    expect(heard.skipped).toBeNull();
  });

  it('reads on for what stays due however old it is, within the bound, and says that the rest was missed', async () => {
    const { getPage } = place(300);
    const staysDue = ({ id }: { id: string }) => ['50', '120', '150'].includes(id);
    const missed = await readBack(getPage, { after: '100', earliest: '290', maxMessages: 500 }, staysDue);
    expect(missed.messages).toEqual([{ id: '120' }, { id: '150' }, ...idsFrom(290, 300)]);
    expect(missed.skipped).toBe('too old');
    const bounded = await readBack(getPage, { after: '100', earliest: '290', maxMessages: 160 }, staysDue);
    expect(bounded.messages).toEqual([{ id: '150' }, ...idsFrom(290, 300)]);
  });

  it('ends at the first message of a place', async () => {
    const missed = await readBack(place(200).getPage, { after: '0', earliest: '0', maxMessages: 500 });
    expect(missed).toEqual({ messages: idsFrom(1, 200), skipped: null, nameless: 0 });
  });

  it('leaves out what has no id, and ends where nothing else comes', async () => {
    const odd = [null, {}, { id: 7 }, { id: 'words' }] as unknown as { id: string }[];
    const page = async () => [...odd, { id: '5' }, { id: '4' }];
    const bounds = { after: '0', earliest: '0', maxMessages: 500 };
    expect(await readBack(page, bounds)).toEqual({ messages: idsFrom(4, 5), skipped: null, nameless: 4 });
    const full = async () => Array.from({ length: 100 }, () => ({ id: 'words' }));
    expect(await readBack(full, bounds)).toEqual({ messages: [], skipped: null, nameless: 100 });
  });
});
