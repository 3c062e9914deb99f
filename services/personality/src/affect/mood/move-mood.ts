import type { Pad } from '@kith/contracts';
import { EMOTIONS, type Emotion } from './emotions.js';
import { clamped, dot, mapAxes, minus, plus, scaled } from './pad.js';
import { type Moods, feltMood } from './mood-decay.js';

/** Chat comes in turns, hours apart: one turn may be seen in a plot, and may not turn a mood over. */
export const MAX_CHANGE_PER_TURN = 0.15;

/** Share of the way to an emotion's point that the emotion takes the mood at full intensity. */
const PULL = 0.5;

/** Share of a felt change that goes into the mood everybody meets; the rest stays between the two. */
const SHARED_PART = 0.4;

/** An offset colours a mood and does not replace it: past this, more of the same changes nothing. */
export const MAX_OFFSET = 0.3;

/**
 * The farthest that one person alone can hold the shared mood from where it would be, on each axis. Follows from
 * the two constants above: each change of an offset moves the shared mood in proportion, and both fade at
 * the same rate, so a person's part of the shared mood is always that multiple of their bounded offset.
 */
export const MAX_PERSON_INFLUENCE = (MAX_OFFSET * SHARED_PART) / (1 - SHARED_PART);

/**
 * Moves both moods by each of one turn's emotions, in order. The turn as a whole changes what the person
 * meets by at most `MAX_CHANGE_PER_TURN` on each axis, and the shared mood by `SHARED_PART` of that.
 */
export function moveMood(before: Moods, emotions: readonly Emotion[]): Moods[] {
  const start = feltMood(before);
  let felt = start;
  return emotions.map((emotion) => {
    felt = clamped(plus(felt, pullOrPush(felt, emotion)));
    return splitChange(before, clamped(minus(felt, start), MAX_CHANGE_PER_TURN));
  });
}

/**
 * The change of a felt mood, divided between offset and shared mood. A full offset takes no more, and then
 * neither does the shared mood: that keeps one person's influence on it bounded, however long they go on.
 * Where the shared mood is at the edge of the space, the offset waits for it, so that the two stay in step.
 */
function splitChange({ shared, offset }: Moods, change: Pad): Moods {
  const perOffset = SHARED_PART / (1 - SHARED_PART);
  const wanted = clamped(plus(offset, scaled(change, 1 - SHARED_PART)), MAX_OFFSET);
  const taken = mapAxes(minus(wanted, offset), (value, axis) =>
    Math.min((1 - shared[axis]) / perOffset, Math.max((-1 - shared[axis]) / perOffset, value)),
  );
  return { shared: clamped(plus(shared, scaled(taken, perOffset))), offset: plus(offset, taken) };
}

/**
 * Gebhard's pull and push: an emotion pulls the mood toward its own point; a mood that already lies beyond
 * that point, seen along the emotion's direction, is pushed further along it.
 */
function pullOrPush(mood: Pad, { name, intensity }: Emotion): Pad {
  const point = EMOTIONS[name];
  const along = dot(mood, point) / dot(point, point);
  return scaled(along < 1 ? minus(point, mood) : point, PULL * intensity);
}
