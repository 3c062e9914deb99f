import type { JSX } from 'react';
import type { Trouble } from './describe-health.js';
import './health.css';

/** Says what is down and what that means; nothing at all when all is well. */
export function HealthBanner({ troubles }: { troubles: Trouble[] }): JSX.Element | null {
  if (troubles.length === 0) return null;
  return (
    <div className="banner" role="alert">
      <ul>
        {troubles.map(({ service, what, effect }) => (
          <li key={service}>
            <strong>{what}.</strong> {effect}
          </li>
        ))}
      </ul>
    </div>
  );
}
