import type { NeedView } from '@kith/contracts';
import { describeNeed } from './describe-need.js';

/** Shows how unmet each need is, the most urgent first. */
export function NeedsGauges({ needs, name }: { needs: readonly NeedView[]; name: string }) {
  return (
    <ul className="needs" aria-label={`${name}'s needs`}>
      {needs.map((view) => (
        <li key={view.need} data-presses={view.urgency > 0}>
          <span className="need-name">{view.need}</span>
          <meter min={0} max={1} value={view.level} aria-label={`${view.need}: ${describeNeed(view)}`} />
          <span className="need-words">{describeNeed(view)}</span>
        </li>
      ))}
    </ul>
  );
}
