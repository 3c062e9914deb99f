import { writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';

/**
 * Makes an output into an open file, and writes each piece whole before the next line of the program: an exit loses none,
 * and errors that go into the same file come after it. Node's own output takes a write that a full disk cut short for a
 * whole one.
 */
export function fileOutput(descriptor: number): Writable {
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      try {
        writeFileSync(descriptor, piece);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
