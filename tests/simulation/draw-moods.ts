import type { Pad } from '@kith/contracts';
import { pointList, scale } from '@kith/mood-card/geometry';
import type { Story } from './simulate.ts';

const PANEL = { width: 460, height: 130, gap: 16, title: 22 } as const;
const COLUMNS = 3;
const AXES: readonly [axis: keyof Pad, colour: string, name: string][] = [
  ['p', '#c2410c', 'pleasure'],
  ['a', '#1d4ed8', 'arousal'],
  ['d', '#15803d', 'dominance'],
];

/** The companion's mood towards each person over the days, as an SVG: a panel each, -1 at the foot, 1 at the top. */
export function drawMoods(stories: readonly Story[], days: number): string {
  const rows = Math.ceil(stories.length / COLUMNS);
  const width = COLUMNS * (PANEL.width + PANEL.gap) + PANEL.gap;
  const top = 44;
  const height = top + rows * (PANEL.height + PANEL.title + PANEL.gap);
  const panels = stories.map((story, n) => {
    const x = PANEL.gap + (n % COLUMNS) * (PANEL.width + PANEL.gap);
    const y = top + Math.floor(n / COLUMNS) * (PANEL.height + PANEL.title + PANEL.gap);
    return `<g transform="translate(${x} ${y})">${drawPanel(story, days)}</g>`;
  });
  const legend = AXES.map(
    ([, colour, name], n) => `<text x="${PANEL.gap + n * 110}" y="28" fill="${colour}">${name}</text>`,
  );
  const mark = PANEL.gap + AXES.length * 110;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans" font-size="13">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...legend,
    `<text x="${mark}" y="28" fill="#525252">| wrote first, over ${days} days</text>`,
    ...panels,
    '</svg>',
  ].join('\n');
}

function drawPanel({ person, start, moods, sent }: Story, days: number): string {
  const begin = start.toMillis();
  const span = start.plus({ days }).toMillis() - begin;
  const x = scale([begin, begin + span], [0, PANEL.width]);
  const y = scale([1, -1], [PANEL.title, PANEL.title + PANEL.height]);
  const shown = moods.filter(({ at }) => at.getTime() >= begin && at.getTime() <= begin + span);
  const [foot, middle, head] = [y(-1), y(0), y(1)];
  return [
    `<text y="14" fill="#171717">${escapeXml(person.name)}: ${escapeXml(person.note)}</text>`,
    `<rect y="${head}" width="${PANEL.width}" height="${PANEL.height}" fill="#fafafa" stroke="#d4d4d4"/>`,
    `<line x1="0" x2="${PANEL.width}" y1="${middle}" y2="${middle}" stroke="#d4d4d4"/>`,
    ...sent.map(
      ({ at }) =>
        `<line x1="${x(at.getTime())}" x2="${x(at.getTime())}" y1="${foot}" y2="${head}" stroke="#a3a3a3"/>`,
    ),
    ...AXES.map(([axis, colour]) => {
      const points = pointList(shown.map(({ at, pad }) => ({ x: x(at.getTime()), y: y(pad[axis]) })));
      return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.4"/>`;
    }),
  ].join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
