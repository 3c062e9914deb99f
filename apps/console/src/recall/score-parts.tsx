import type { RecalledMemory } from '@kith/contracts';
import type { CSSProperties } from 'react';
import { explainScore } from './explain-score.js';
import './recall.css';

/** Reasons why a memory came up: each part of its score, as a bar and in words. */
export function ScoreParts({ why, label }: { why: RecalledMemory['why']; label: string }) {
  return (
    <dl className="parts" aria-label={label}>
      {explainScore(why).map(({ name, words, share }) => (
        <div key={name} className="part" style={{ '--share': share } as CSSProperties}>
          <dt>{name}</dt>
          <dd>
            <span className="bar" aria-hidden="true" />
            <span className="part-words">{words}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
