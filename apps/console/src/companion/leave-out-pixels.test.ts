import { describe, expect, it } from '@jest/globals';
import { leaveOutPixels } from './leave-out-pixels.js';

const chunk = (type: string, data: string): Buffer => {
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.write(type, 4, 'latin1');
  return Buffer.concat([frame, Buffer.from(data, 'latin1'), Buffer.alloc(4)]);
};
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('a picture', () => {
  it('keeps what is written in it, and loses its pixels and the frames of an animation', () => {
    const [head, text, pixels, frame, end] = [
      chunk('IHDR', '0123456789abc'),
      chunk('tEXt', 'chara\0e30='),
      chunk('IDAT', 'x'.repeat(5_000)),
      chunk('fdAT', 'x'.repeat(5_000)),
      chunk('IEND', ''),
    ];
    const picture = Buffer.concat([SIGNATURE, head, text, pixels, pixels, frame, end]);
    const small = Buffer.concat([SIGNATURE, head, text, end]);
    expect(Buffer.from(leaveOutPixels(picture))).toEqual(small);
    const appended = Buffer.concat([picture, Buffer.alloc(5_000, 'x')]);
    expect(Buffer.from(leaveOutPixels(appended))).toEqual(small);
  });

  it('is left as it is where it breaks off, or is none', () => {
    const broken = Buffer.concat([SIGNATURE, chunk('IDAT', 'x'.repeat(50)).subarray(0, 30)]);
    expect(leaveOutPixels(broken)).toBe(broken);
    const json = Buffer.from('{"name":"Nell"}');
    expect(leaveOutPixels(json)).toBe(json);
  });
});
