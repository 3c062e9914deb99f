import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loreContract, LoreInput, MAX_LORE } from '@kith/contracts';
import { startMemory, type MemorySuite } from '../e2e/memory-suite.js';

let suite: MemorySuite;
beforeAll(async () => {
  suite = await startMemory();
});
afterAll(() => suite.stop());

const put = (companionId: string, entry: Partial<LoreInput> & { name: string; content: string }) =>
  suite.messenger.ask(loreContract.putLore, { companionId, entry });
const match = async (companionId: string, text: string) =>
  (await suite.messenger.ask(loreContract.matchLore, { companionId, texts: [text] })).hits;

describe('lore in its store', () => {
  it('is told at once, in its newest words, and to its own companion alone', async () => {
    expect(await match('wren', 'the old mill')).toEqual([]);
    const kept = await put('wren', { name: 'Mill', keys: ['mill'], content: 'It burnt down.' });
    expect(await match('wren', 'the old mill')).toMatchObject([{ content: 'It burnt down.', key: 'mill' }]);
    const anew = await put('wren', { name: 'Mill', keys: ['mill'], content: 'It was built anew.' });
    expect(anew.id).toBe(kept.id);
    expect(await match('wren', 'the old mill')).toMatchObject([{ content: 'It was built anew.' }]);
    expect(await match('robin', 'the old mill')).toEqual([]);

    const elsewhere = suite.messenger.ask(loreContract.removeLore, { companionId: 'robin', id: kept.id });
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
    await put('wren', { name: 'Mill', keys: ['mil'], content: 'A mill.', wholeWords: false });
    expect(await match('wren', 'the old mill')).toMatchObject([{ content: 'A mill.' }]);
    await put('wren', { name: 'Mill', keys: ['mill'], content: 'A mill.', probability: 0 });
    expect(await match('wren', 'the old mill')).toEqual([]);
    await suite.messenger.ask(loreContract.removeLore, { companionId: 'wren', id: kept.id });
    expect(await match('wren', 'the old mill')).toEqual([]);
  });

  it('is listed in a form that is taken again, and named where it finds no room', async () => {
    await put('swift', { name: 'Weir', keys: ['weir'], content: 'It leaks. '.repeat(300) });
    const { hits, left } = await suite.messenger.ask(loreContract.matchLore, {
      companionId: 'swift',
      texts: ['the weir'],
    });
    expect([hits, left]).toMatchObject([[], [{ name: 'Weir', key: 'weir' }]]);
    const { entries: book } = await suite.messenger.ask(loreContract.lore, { companionId: 'swift' });
    const taken = await suite.messenger.ask(loreContract.importLore, { companionId: 'martin', book });
    expect(taken).toEqual({ added: 1, replaced: 0, left: [] });
  });

  it('takes a book once, says what it left, and refuses what is none', async () => {
    const book = {
      entries: [
        { keys: ['Orla'], content: 'The miller.', name: 'Orla' },
        { keys: ['Orla'], content: 'The old miller.', name: 'Orla' },
        { keys: ['('], content: 'x', use_regex: true, name: 'Pattern' },
      ],
    };
    const take = (what: unknown) =>
      suite.messenger.ask(loreContract.importLore, { companionId: 'wren', book: what });
    expect(await take(book)).toEqual({
      added: 2,
      replaced: 0,
      left: [{ name: 'Pattern', why: 'its keys are regular expressions' }],
    });
    expect(await take(book)).toMatchObject({ added: 0, replaced: 2 });
    const { entries } = await suite.messenger.ask(loreContract.lore, { companionId: 'wren' });
    expect(entries).toMatchObject([
      { name: 'Orla', content: 'The miller.' },
      { name: 'Orla (2)', content: 'The old miller.' },
    ]);
    await expect(take('a story')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('takes of a book what is for its companion', async () => {
    const of = (name: string) => ({
      key: ['mill'],
      content: 'x',
      comment: name,
      characterFilter: { names: [name] },
    });
    const book = { entries: { 0: of('Dipper'), 1: of('Finn') } };
    const taken = await suite.messenger.ask(loreContract.importLore, { companionId: 'dipper', book });
    expect(taken).toMatchObject({ added: 1, left: [{ name: 'Finn' }] });
  });

  it('takes a book in the place of entries, of its own companion alone', async () => {
    const mine = await put('lark', { name: 'Mill', keys: ['mill'], content: 'A mill.' });
    const other = await put('swift', { name: 'Mill', keys: ['mill'], content: 'A mill.' });
    const instead = [mine.id, other.id];
    await suite.messenger.ask(loreContract.importLore, { companionId: 'lark', book: [], instead });
    expect(await match('lark', 'the mill')).toEqual([]);
    expect(await match('swift', 'the mill')).toHaveLength(1);
  });

  it('ends where it is full, with nothing half kept', async () => {
    const entries = Array.from({ length: MAX_LORE + 1 }, (_, n) => ({
      name: `n${n}`,
      keys: ['k'],
      content: 'x',
    }));
    const all = suite.messenger.ask(loreContract.importLore, { companionId: 'full', book: entries });
    await expect(all).rejects.toMatchObject({ message: expect.stringContaining(`${MAX_LORE} fit`) });
    expect((await suite.messenger.ask(loreContract.lore, { companionId: 'full' })).entries).toEqual([]);
  });
});
