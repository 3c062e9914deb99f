import type { Readable } from 'node:stream';

/**
 * The lines of a pipe, the last one also without an end. Holds no more of a line than `maxCharacters`, so that an
 * endless one does not fill the memory: what is longer comes cut, by then one character too long for its reader.
 */
export async function* pipedLines(input: Readable, maxCharacters: number): AsyncGenerator<string> {
  let line = '';
  let isOpen = false;
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const [first = '', ...more] = chunk.split('\n');
    line = (line + first).slice(0, maxCharacters + 1);
    isOpen = true;
    for (const next of more) {
      yield line;
      line = next.slice(0, maxCharacters + 1);
      isOpen = next !== '';
    }
  }
  if (isOpen) yield line;
}
