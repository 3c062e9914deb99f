import type { StreamPart } from '../provider.js';
import { cutStream } from './bounded-stream.js';

/** Reads one answer by the pieces it comes in: chunks at some hosts, events at others. Holds what is not whole yet. */
export interface PieceReader<Piece> {
  /** Gives the parts that a piece brings. What comes after an `end` is not read. */
  read(piece: Piece): Iterable<StreamPart>;
  /** Gives the last parts of a host whose answers end with their stream; null where it did not say why it ended. */
  close?(): Iterable<StreamPart> | null;
}

/**
 * Turns a host's stream into parts.
 * @throws ModelError `cut-stream` where pieces came, but no end
 */
export async function* readStream<Piece>(
  origin: string,
  pieces: AsyncIterable<Piece>,
  reader: PieceReader<Piece>,
): AsyncGenerator<StreamPart> {
  let began = false;
  for await (const piece of pieces) {
    began = true;
    for (const part of reader.read(piece)) {
      yield part;
      if (part.type === 'end') return;
    }
  }
  if (!began) return;
  const last = reader.close?.();
  if (!last) throw cutStream(origin);
  yield* last;
}

/** Makes a part of words; none where there are none. */
export function saying(type: 'text' | 'alive', text: string): StreamPart[] {
  return text ? [{ type, text }] : [];
}
