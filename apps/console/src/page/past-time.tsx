import { describeDate, exactTime } from './describe-date.js';

/** A past time as people say it, with the exact one as its tooltip. */
export function PastTime({ at, now }: { at: string; now: Date }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {describeDate(at, now)}
    </time>
  );
}
