/**
 * Cuts a text that comes in pieces into its lines, the last one also without an end. Holds no more of a line than
 * `maxCharacters`: a longer one is cut to one character more, which its reader refuses.
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  maxCharacters = Infinity,
): AsyncGenerator<string> {
  let line = '';
  for await (const piece of pieces) {
    const [first = '', ...more] = piece.split('\n');
    line = (line + first).slice(0, maxCharacters + 1);
    for (const next of more) {
      yield line;
      line = next.slice(0, maxCharacters + 1);
    }
  }
  if (line !== '') yield line;
}
