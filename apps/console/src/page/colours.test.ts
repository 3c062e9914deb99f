import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const STYLE = readFileSync(new URL('./base.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme: dark)');

/** Relative luminance of the colour of a variable, as WCAG 2.2 has it. */
function luminance(scheme: string, name: string): number {
  const [, hex = ''] = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(scheme) ?? [];
  const [r = 0, g = 0, b = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe.each([
  ['light', light],
  ['dark', dark],
])('words by %s', (_, scheme) => {
  it.each(['ink', 'ink-soft', 'accent', 'pleasure', 'arousal', 'dominance'])('in %s can be read', (name) => {
    for (const ground of ['ground', 'surface']) {
      const [low = 0, high = 0] = [luminance(scheme, name), luminance(scheme, ground)].toSorted(
        (a, b) => a - b,
      );
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
