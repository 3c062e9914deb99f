/** Signature of a PNG. */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Chunks that hold texts, and those that every picture has: frames of an animation are of other types than pixels. */
const KEPT = new Set(['IHDR', 'tEXt', 'zTXt', 'iTXt', 'IEND']);
/** Length, type and checksum of a chunk. */
const FRAME = 12;

/** Removes all but the texts of a card's picture, which alone hold the card; leaves any other file as it is. */
export function leaveOutPixels(file: Uint8Array): Uint8Array {
  if (!SIGNATURE.every((byte, at) => file[at] === byte)) return file;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const kept = [file.subarray(0, SIGNATURE.length)];
  for (let at = SIGNATURE.length; at + FRAME <= file.length;) {
    const end = at + FRAME + view.getUint32(at);
    // The gateway, which reads the file, says what is wrong with it.
    if (end > file.length) return file;
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (KEPT.has(type)) kept.push(file.subarray(at, end));
    // Some programs append bytes of their own, which are no chunks.
    if (type === 'IEND') break;
    at = end;
  }
  const whole = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of kept) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
