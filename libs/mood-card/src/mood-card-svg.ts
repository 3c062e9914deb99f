import { counted, moodInWords, signed, type Pad, type BondView } from '@kith/contracts';
import { percent, type MoodCardFacts } from './describe-card.js';
import { moodPlot, spanInWords } from './mood-plot.js';
import { element, text, COLOURS, fitText, writable } from './svg.js';
import { traitsRadar } from './traits-radar.js';

/** The drawing's size, in its own units. */
const WIDTH = 760;
const HEIGHT = 416;

/** Keeps text clear of the rounded corners. */
const MARGIN = 28;
const PLOT = { x: 60, y: 112, width: 424, height: 196 };
const SIDE = { x: 516, width: WIDTH - MARGIN - 516 };

const BOLD = { 'font-weight': 'bold' };
const TO_THE_LEFT = { 'text-anchor': 'end' };

const AXIS_NAMES: readonly [keyof Pad, string][] = [
  ['p', 'pleasure'],
  ['a', 'arousal'],
  ['d', 'dominance'],
];

/** The whole card as SVG. Pure: the same facts give the same drawing. */
export function moodCardSvg({ companion, mood }: MoodCardFacts): string {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height: HEIGHT,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      'font-family': 'DejaVu Sans',
    },
    element('rect', { width: WIDTH, height: HEIGHT, rx: 18, fill: COLOURS.card }),
    header(writable(companion.name) ?? 'Mood', moodInWords(mood.now), spanInWords(mood.series)),
    moodPlot(mood.series, PLOT, companion.timeZone),
    legend(mood.now.pad),
    sideTitle('Traits', 112) + traitsRadar(companion.traits, { x: SIDE.x + SIDE.width / 2, y: 196 }, 52),
    bondPart(mood.bond),
  );
}

function header(name: string, moodWords: string, span: string): string {
  const width = WIDTH - 2 * MARGIN;
  return [
    text({ x: MARGIN, y: 48 }, fitText(name, width, 26, true), ['text', 26], BOLD),
    text({ x: MARGIN, y: 72 }, fitText(moodWords, width / 2, 14), ['p', 14]),
    text({ x: WIDTH - MARGIN, y: 72 }, span, ['faint', 11.5], TO_THE_LEFT),
  ].join('\n');
}

/** Labels of each axis' value now, beneath its curve. */
function legend(now: Pad): string {
  const top = 352;
  const each = PLOT.width / AXIS_NAMES.length;
  return AXIS_NAMES.map(([axis, name], place) => {
    const x = PLOT.x + place * each;
    return (
      element('line', {
        x1: x,
        x2: x + 18,
        y1: top + 8,
        y2: top + 8,
        stroke: COLOURS[axis],
        'stroke-width': 4,
        'stroke-linecap': 'round',
      }) +
      text({ x: x + 28, y: top + 12 }, name, ['muted', 11.5]) +
      text({ x: x + 28, y: top + 34 }, signed(now[axis]), ['text', 17], BOLD)
    );
  }).join('\n');
}

/** Bond of the companion and the viewer. */
function bondPart(bond: BondView | null): string {
  const top = 290;
  if (!bond || bond.interactions === 0) {
    const line = text({ x: SIDE.x, y: top + 24 }, 'You have not talked yet.', ['muted', 12]);
    return sideTitle('Between you', top) + line;
  }
  const rows: [string, number][] = [
    ['familiarity', bond.familiarity],
    ['affection', bond.affection],
    ['trust', bond.trust],
  ];
  const count = counted(bond.interactions, 'exchange');
  return [
    sideTitle('Between you', top),
    text({ x: SIDE.x + SIDE.width, y: top }, count, ['faint', 10.5], TO_THE_LEFT),
    ...rows.map(([name, value], place) => bondRow(name, value, top + 26 + place * 26)),
  ].join('\n');
}

function bondRow(name: string, value: number, y: number): string {
  const whole = SIDE.width - 82 - 44;
  const filled = Math.min(1, Math.max(0, value)) * whole;
  const bar = (width: number, fill: string) =>
    element('rect', { x: SIDE.x + 82, y: y - 8, width, height: 8, rx: 4, fill });
  return [
    text({ x: SIDE.x, y }, name, ['muted', 11.5]),
    bar(whole, COLOURS.edge),
    // A bar shorter than it is high would not be round.
    ...(filled < 1 ? [] : [bar(Math.max(8, filled), COLOURS.bond)]),
    text({ x: SIDE.x + SIDE.width, y }, percent(value), ['text', 11.5], TO_THE_LEFT),
  ].join('\n');
}

function sideTitle(words: string, y: number): string {
  return text({ x: SIDE.x, y }, words, ['text', 13], BOLD);
}
