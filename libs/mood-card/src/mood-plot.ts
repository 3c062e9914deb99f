import { DAY_MS, HOUR_MS, type MoodPoint, type Pad } from '@kith/contracts';
import { DateTime } from 'luxon';
import { type Point, pointList, scale } from './geometry.js';
import { type MovingEvent, movingEvents } from './moving-events.js';
import { element, text, COLOURS, widthOf } from './svg.js';

/** Most labels: more would hide the curve. */
export const MAX_EVENTS = 3;

/** Events nearer to each other than this share of the plot would be one spot in it. */
const APART = 1 / 24;

const AXES: readonly (keyof Pad)[] = ['d', 'a', 'p'];

const CENTRED = { 'text-anchor': 'middle' };

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A stretch of time, in milliseconds since the epoch. */
interface Span {
  from: number;
  to: number;
}

/** The time a series covers. One of a single moment counts as an hour, so that nothing is divided by none. */
export function spanOf(series: readonly MoodPoint[]): Span & { apartMs: number } {
  const timeOf = (point: MoodPoint | undefined) => (point ? Date.parse(point.at) : 0);
  const to = timeOf(series.at(-1));
  const from = Math.min(timeOf(series[0]), to - HOUR_MS);
  return { from, to, apartMs: (to - from) * APART };
}

/**
 * The course of pleasure, arousal and dominance, each from -1 to 1, with the events that moved them most in a
 * lane above. Days are those of the companion's zone; hours are told as distances from now, for whoever reads it.
 */
export function moodPlot(series: readonly MoodPoint[], frame: Frame, timeZone: string): string {
  const { from, to, apartMs } = spanOf(series);
  const x = scale([from, to], [frame.x, frame.x + frame.width]);
  const y = valueScale(frame);
  const placeOf = (at: number, value: number): Point => ({ x: x(at), y: y(value) });
  const curves = AXES.map((axis) =>
    element('polyline', {
      points: pointList(series.map(({ at, pad }) => placeOf(Date.parse(at), pad[axis]))),
      fill: 'none',
      stroke: COLOURS[axis],
      // Pleasure is what people look for first.
      'stroke-width': axis === 'p' ? 2.5 : 1.75,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }),
  );
  const events = movingEvents(series, MAX_EVENTS, apartMs);
  const marks = events.map((event) => ({ event, place: placeOf(event.at, event.point.pad.p) }));
  return [
    grid(frame),
    timeAxis(frame, { from, to }, timeZone),
    ...(marks.length === 0 ? [stillness(frame)] : eventMarks(marks, frame)),
    ...curves,
    ...marks.map(({ place }) => dot(place)),
  ].join('\n');
}

/** Maps a value of an axis onto the frame's height, 1 at its top and -1 at its foot. */
function valueScale({ y, height }: Frame): (value: number) => number {
  return scale([1, -1], [y, y + height]);
}

/** Says, in place of the labels, that nothing moved the mood. */
function stillness({ x, y, width }: Frame): string {
  const centre = { x: x + width / 2, y: y - LANE };
  return text(centre, 'nothing you said changed it', ['faint', LABEL_SIZE], CENTRED);
}

function grid(frame: Frame): string {
  const { x, width } = frame;
  const y = valueScale(frame);
  return [1, 0.5, 0, -0.5, -1]
    .map((value) => {
      const at = y(value);
      const line = element('line', {
        x1: x,
        x2: x + width,
        y1: at,
        y2: at,
        stroke: COLOURS.grid,
        'stroke-width': value === 0 ? 1.25 : 0.75,
        'stroke-dasharray': value === 0 ? undefined : '2 4',
      });
      const name = value === 0 ? '0' : `${value < 0 ? '−' : '+'}${Math.abs(value)}`;
      const label = text({ x: x - 8, y: at + 3.5 }, name, ['faint', 10], { 'text-anchor': 'end' });
      return line + (Number.isInteger(value) ? label : '');
    })
    .join('\n');
}

/** Unit of a time: days, or hours where there are only a few of them. */
function unitOf(spanMs: number): { ms: number; name: string } {
  return spanMs > 2 * DAY_MS ? { ms: DAY_MS, name: 'day' } : { ms: HOUR_MS, name: 'hour' };
}

/** Such as "the last 7 days". */
export function spanInWords(series: readonly MoodPoint[]): string {
  const { from, to } = spanOf(series);
  const { ms, name } = unitOf(to - from);
  const count = Math.round((to - from) / ms);
  return count === 1 ? `the last ${name}` : `the last ${count} ${name}s`;
}

/** Most ticks: more would leave no room for their labels. */
const MAX_TICKS = 7;
/** Width that "now" needs: no tick is named nearer to it. */
const NOW_WIDTH = 38;

/** Ticks at now and where days begin; where the series is short, at whole hours back. */
function timeAxis({ x, y, width, height }: Frame, span: Span, timeZone: string): string {
  const place = scale([span.from, span.to], [x, x + width]);
  const isInDays = unitOf(span.to - span.from).name === 'day';
  const ticks = isInDays ? dayTicks(span, timeZone) : hourTicks(span);
  return [{ at: span.to, label: 'now' }, ...ticks]
    .map(({ at, label }) => ({ at: place(at), label }))
    .filter(({ at, label }) => label === 'now' || x + width - at >= NOW_WIDTH)
    .flatMap(({ at, label }) => [
      element('line', { x1: at, x2: at, y1: y + height, y2: y + height + 4, stroke: COLOURS.grid }),
      text({ x: at, y: y + height + 17 }, label, ['faint', 10], CENTRED),
    ])
    .join('\n');
}

interface Tick {
  at: number;
  label: string;
}

function hourTicks({ from, to }: Span): Tick[] {
  const hours = Math.floor((to - from) / HOUR_MS);
  const step = Math.max(1, Math.ceil(hours / MAX_TICKS));
  return Array.from({ length: Math.floor(hours / step) }, (_, n) => (n + 1) * step).map((back) => ({
    at: to - back * HOUR_MS,
    label: `−${back} h`,
  }));
}

/** Such as "Mon 16", at the day's first moment in this zone. */
function dayTicks({ from, to }: Span, timeZone: string): Tick[] {
  const today = DateTime.fromMillis(to, { zone: timeZone }).startOf('day');
  const step = Math.ceil((to - from) / DAY_MS / MAX_TICKS);
  const ticks: Tick[] = [];
  for (let day = today; day.toMillis() >= from; day = day.minus({ days: step }).startOf('day')) {
    ticks.push({ at: day.toMillis(), label: day.toFormat('ccc d', { locale: 'en' }) });
  }
  return ticks;
}

/** The smallest that Discord's preview shows legibly. */
const LABEL_SIZE = 11;
/** Less than a line's height makes labels touch. */
const LABEL_GAP = 10;
/** Distance of the labels above the plot. */
const LANE = 14;

/** A label above the plot for each event, and a line from it down to the curve. */
function eventMarks(marks: readonly { event: MovingEvent; place: Point }[], frame: Frame): string[] {
  const widths = marks.map(({ event }) => widthOf(event.emotion, LABEL_SIZE, true));
  const centres = spreadLabels(
    marks.map(({ place }) => place.x),
    widths,
    frame,
  );
  return marks.flatMap(({ event, place }, n) => {
    const centre = centres[n] ?? place.x;
    return [
      element('polyline', {
        points: pointList([{ x: centre, y: frame.y - LANE + 4 }, { x: place.x, y: frame.y + 2 }, place]),
        fill: 'none',
        stroke: COLOURS.muted,
        'stroke-width': 1,
        'stroke-dasharray': '1 3',
        'stroke-linecap': 'round',
      }),
      text({ x: centre, y: frame.y - LANE }, event.emotion, ['text', LABEL_SIZE], {
        'font-weight': 'bold',
        ...CENTRED,
      }),
    ];
  });
}

/**
 * Centres of labels that stand side by side within the frame, each as near to its mark as the others allow.
 * Marks come in order of place.
 */
export function spreadLabels(marks: readonly number[], widths: readonly number[], { x, width }: Frame) {
  const half = (n: number) => (widths[n] ?? 0) / 2;
  const centres = marks.map((mark, n) => Math.min(Math.max(mark, x + half(n)), x + width - half(n)));
  for (let n = 1; n < centres.length; n += 1) {
    const least = (centres[n - 1] ?? 0) + half(n - 1) + LABEL_GAP + half(n);
    centres[n] = Math.max(centres[n] ?? 0, least);
  }
  // What was pushed over the right edge goes back, and takes its neighbours along.
  for (let n = centres.length - 1; n >= 0; n -= 1) {
    const next = centres[n + 1];
    const most = next === undefined ? x + width - half(n) : next - half(n + 1) - LABEL_GAP - half(n);
    centres[n] = Math.min(centres[n] ?? 0, most);
  }
  return centres;
}

function dot({ x, y }: Point): string {
  return element('circle', {
    cx: x,
    cy: y,
    r: 4.5,
    fill: COLOURS.card,
    stroke: COLOURS.p,
    'stroke-width': 2.5,
  });
}
