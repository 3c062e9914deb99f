import { clockOfDay, exactTime } from '../page/describe-date.js';
import type { Trouble } from './describe-health.js';
import './health.css';

/** Says what is down, since when, and what that means; nothing at all when all is well. */
export function HealthBanner({ troubles, now }: { troubles: Trouble[]; now: Date }) {
  if (troubles.length === 0) return null;
  return (
    <div className="banner" role="alert">
      <ul>
        {troubles.map(({ key, what, effect, since }) => (
          <li key={key}>
            <strong>{what}.</strong> {effect}
            {since !== null && (
              <time dateTime={since} title={exactTime(since)}>
                {` Since ${clockOfDay(since, now)}.`}
              </time>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
