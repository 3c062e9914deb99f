import { describe, expect, it } from '@jest/globals';
import { listPages, resultWords } from './mcp-results.js';

const tool = (name: string) => ({ name, inputSchema: {} });
const toolsOf = (count: number, page: number) =>
  Array.from({ length: count }, (_, n) => tool(`tool_${page}_${n}`));

/** Reads a list whose pages are these, by cursor. Returns the cursors that it asked for, too. */
async function read(page: (cursor: string | undefined) => object | null) {
  const asked: (string | undefined)[] = [];
  const list = await listPages(async (cursor) => {
    asked.push(cursor);
    return page(cursor) as never;
  });
  return { names: list.tools.map(({ name }) => name), leftOut: list.leftOut, isCut: list.isCut, asked };
}

describe('a list in pages', () => {
  it('is read to its end', async () => {
    const pages = new Map<string | undefined, object>([
      [undefined, { tools: [tool('a')], nextCursor: '2' }],
      ['2', { tools: [tool('b'), {}], nextCursor: '3' }],
      ['3', { tools: [tool('c')] }],
    ]);
    expect(await read((cursor) => pages.get(cursor)!)).toEqual({
      names: ['a', 'b', 'c'],
      leftOut: 1,
      isCut: false,
      asked: [undefined, '2', '3'],
    });
  });

  it('ends with a cursor that comes again', async () => {
    const next = new Map([
      [undefined, 'x'],
      ['x', 'y'],
      ['y', 'x'],
    ]);
    const list = await read((cursor) => ({ tools: [tool('a')], nextCursor: next.get(cursor) }));
    expect(list).toEqual({ names: ['a'], leftOut: 2, isCut: true, asked: [undefined, 'x', 'y'] });
  });

  it('ends after ten pages', async () => {
    let page = 0;
    const { asked, isCut } = await read(() => ({ tools: [], nextCursor: String(++page) }));
    expect([asked.length, isCut]).toEqual([10, true]);
  });

  it('ends with the most tools that are looked at', async () => {
    let page = 0;
    const list = await read(() => ({ tools: toolsOf(150, ++page), nextCursor: String(page) }));
    expect(list).toMatchObject({ leftOut: 100, isCut: true, asked: [undefined, '1'] });
    expect(list.names).toHaveLength(200);
  });

  it('keeps what it has where the server refuses its own cursor', async () => {
    const list = await read((cursor) =>
      cursor === undefined ? { tools: [tool('a')], nextCursor: 'x' } : null,
    );
    expect(list).toMatchObject({ names: ['a'], isCut: true });
  });
});

describe('the words of a result', () => {
  it('are its texts, those of a file that stands in it, and where a link leads; of the rest its kind', () => {
    const file = { uri: 'repo://kith/README.md', mimeType: 'text/plain' };
    const content = [
      { type: 'text', text: 'downloaded' },
      { type: 'resource', resource: { ...file, text: '# Kith' } },
      { type: 'resource', resource: { ...file, blob: 'aGVsbG8=' } },
      { type: 'resource_link', name: 'log', uri: 'https://example.org/log' },
      { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' },
    ];
    expect(resultWords({ content, isError: false })).toBe(
      'downloaded\n# Kith\n[resource]\n[resource_link https://example.org/log]\n[image]',
    );
  });
});
