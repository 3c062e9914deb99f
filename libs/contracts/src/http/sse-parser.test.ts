import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SseParser } from './sse-parser.js';

const STREAM =
  ': hello\n\nevent: token\ndata: {"text":"a"}\n\nevent: token\r\ndata: one\r\ndata: two\r\n\r\ndata:bare\n\nevent: empty\n\nid: 7\ndata: last\n\ndata: cut off';
const EVENTS = ['{"text":"a"}', 'one\ntwo', 'bare', 'last'];

describe('SseParser', () => {
  it('reads events, skips comments and what has no data, drops what the end cut off', () => {
    expect(new SseParser().push(STREAM)).toEqual(EVENTS);
  });

  it('reads the same from any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const parser = new SseParser();
        const events = places.slice(1).flatMap((end, index) => parser.push(STREAM.slice(places[index], end)));
        expect(events).toEqual(EVENTS);
      }),
    );
  });
});
