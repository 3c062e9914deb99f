import { type Moment, momentsOf, scale } from '@kith/mood-card/geometry';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { describeDate } from '../page/describe-date.js';
import { moodAt, sampleCourse, type MoodCourse } from './mood-curve.js';
import { describeEmotion, describeMove, MOOD_AXES } from './mood-words.js';
import { PLOT_SPANS, plotReach, type PlotSpan } from './plot-scale.js';

/** Geometry in CSS pixels: the width of the side panel, three strips, and room for names at the right. */
const WIDTH = 340;
const STRIP = 52;
const GAP = 8;
const LEFT = 4;
const RIGHT = 62;
const HEIGHT = MOOD_AXES.length * (STRIP + GAP) - GAP;
/** Three pixels apart: the eye sees a curve. */
const SAMPLES = 120;

interface MoodPlotProps {
  course: MoodCourse;
  /** Words for moments that were the outcome of something told before, by their time. */
  outcomes: ReadonlyMap<number, string>;
  span: PlotSpan;
  now: Date;
  onSpan: (span: PlotSpan) => void;
}

/** Three strips, one for each axis of the mood, around its usual level; dots mark what moved it. */
export function MoodPlot({ course, outcomes, span, now, onSpan }: MoodPlotProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const readoutId = useId();
  const drawn = useDrawn(course, span, now);
  const { moments, x, y } = drawn;
  const shown = chosen === null ? undefined : moments[chosen];

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || moments.length === 0) return;
    event.preventDefault();
    const from = chosen ?? moments.length;
    setChosen(Math.min(moments.length - 1, Math.max(0, from + step)));
  }

  return (
    <div className="plot">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Mood over the last ${span.words}: ${moments.length === 0 ? 'nothing you said changed it' : `moments when you changed it: ${moments.length}; the arrow keys step through them`}`}
        aria-describedby={readoutId}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setChosen((index) => index ?? (moments.length === 0 ? null : moments.length - 1))}
        onBlur={() => setChosen(null)}
        onPointerLeave={() => setChosen(null)}
      >
        {MOOD_AXES.map((axis, strip) => (
          <Strip key={axis.axis} axis={axis} strip={strip} drawn={drawn} />
        ))}
        {moments.map((moment, index) => (
          <g key={moment.at} className="moment" data-chosen={index === chosen}>
            <line x1={x(moment.at)} x2={x(moment.at)} y1="0" y2={HEIGHT} />
            {MOOD_AXES.map(({ axis }, strip) => (
              <circle
                key={axis}
                className={`dot-${axis}`}
                cx={x(moment.at)}
                cy={y(strip, moment.pad[axis] - course.baseline[axis])}
                r="3.2"
              />
            ))}
            <rect
              className="moment-area"
              x={x(moment.at) - 6}
              width="12"
              y="0"
              height={HEIGHT}
              onPointerEnter={() => setChosen(index)}
              onPointerDown={() => setChosen(index)}
            />
          </g>
        ))}
      </svg>
      <div className="plot-foot">
        <span aria-hidden="true">{span.start}</span>
        <fieldset className="spans">
          <legend className="visually-hidden">Time shown</legend>
          {PLOT_SPANS.map((choice) => (
            <label key={choice.id}>
              <input
                type="radio"
                name="span"
                value={choice.id}
                checked={choice.id === span.id}
                onChange={() => onSpan(choice)}
              />
              <span>{choice.label}</span>
            </label>
          ))}
        </fieldset>
        <span aria-hidden="true">now</span>
      </div>
      <p className="plot-readout" id={readoutId} aria-live="polite">
        {shown === undefined ? restWords(moments) : momentWords(course, shown, outcomes.get(shown.at), now)}
      </p>
    </div>
  );
}

/** Takes the part of a course that is shown, and tells where each time, and each offset from the usual level, stands. */
function useDrawn(course: MoodCourse, span: PlotSpan, now: Date) {
  // What has just been heard of may be newer than the page's clock.
  const toMs = Math.max(now.getTime(), Date.parse(course.series.at(-1)?.at ?? '') || 0);
  const fromMs = toMs - span.ms;
  const samples = useMemo(() => sampleCourse(course, fromMs, toMs, SAMPLES), [course, fromMs, toMs]);
  const moments = useMemo(
    () => momentsOf(course.series).filter(({ at }) => at >= fromMs && at <= toMs),
    [course, fromMs, toMs],
  );
  const reach = plotReach(course.baseline, samples) * 1.08;
  const x = scale([fromMs, toMs], [LEFT, WIDTH - RIGHT]);
  const y = (strip: number, offset: number): number =>
    strip * (STRIP + GAP) + STRIP / 2 - (offset / reach) * (STRIP / 2);
  return { baseline: course.baseline, samples, fromMs, toMs, moments, x, y };
}

interface StripProps {
  axis: (typeof MOOD_AXES)[number];
  /** Its place, from the top. */
  strip: number;
  drawn: ReturnType<typeof useDrawn>;
}

/** Draws the course of one axis, with the names of the axis and of its ends. */
function Strip({ axis: { axis, name, high, low }, strip, drawn }: StripProps) {
  const { baseline, samples, fromMs, toMs, x, y } = drawn;
  const base = baseline[axis];
  const line = samples.map(
    ({ atMs, pad }) => `${x(atMs).toFixed(1)} ${y(strip, pad[axis] - base).toFixed(1)}`,
  );
  const rest = y(strip, 0).toFixed(1);
  const last = samples.at(-1)?.pad[axis] ?? base;
  return (
    <g className={`strip strip-${axis}`}>
      <line className="rest" x1={LEFT} x2={WIDTH - RIGHT} y1={rest} y2={rest} />
      <path className="fill" d={`M${x(fromMs)} ${rest}L${line.join('L')}L${x(toMs)} ${rest}Z`} />
      <path className="line" d={`M${line.join('L')}`} />
      <circle className="head" cx={x(toMs)} cy={y(strip, last - base)} r="3" />
      <text className="strip-name" x={LEFT} y={strip * (STRIP + GAP) + 9}>
        {name.toLowerCase()}
      </text>
      <text className="strip-end" x={WIDTH - RIGHT + 8} y={strip * (STRIP + GAP) + 12}>
        {high}
      </text>
      <text className="strip-end" x={WIDTH - RIGHT + 8} y={strip * (STRIP + GAP) + STRIP - 4}>
        {low}
      </text>
    </g>
  );
}

function restWords(moments: Moment[]): string {
  return moments.length === 0
    ? 'Nothing changed it in this time. The dashed lines are its usual self.'
    : 'The dots are what changed it; the dashed lines are its usual self.';
}

function momentWords(course: MoodCourse, { at, pad, felt }: Moment, outcome: string | undefined, now: Date) {
  const emotions = felt.map(({ emotion, intensity }) => describeEmotion(emotion ?? '', intensity)).join(', ');
  const when = describeDate(new Date(at).toISOString(), now);
  const moved = `${emotions}, ${when}: ${describeMove(moodAt(course, at - 1), pad)}`;
  return outcome === undefined ? moved : `${moved}. It is ${outcome}`;
}
