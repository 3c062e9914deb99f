import type { BondView } from '@kith/contracts';
import { describeMilestone, describeBond } from '../companion/describe-bond.js';
import { describeDate } from '../page/describe-date.js';

const MEASURES = ['familiarity', 'affection', 'trust', 'tension'] as const;

interface BondCardProps {
  bond: BondView;
  name: string;
  now: Date;
}

/** Shows the bond of the two: in words, in measures, and by what they reached together. */
export function BondCard({ bond, name, now }: BondCardProps) {
  const { interactions, firstMetAt, milestones, jokes } = bond;
  const latest = milestones.filter(({ kind }) => kind !== 'first-meeting').at(-1);
  return (
    <section className="bond" role="note" aria-label="Bond">
      <p className="bond-told">{describeBond(bond, name)}</p>
      {firstMetAt !== null && (
        <>
          <ul className="measures">
            {MEASURES.map((measure) => (
              <li key={measure}>
                <span>{measure}</span>
                <meter min={0} max={1} value={bond[measure]} aria-label={measure} />
              </li>
            ))}
          </ul>
          {jokes.length > 0 && (
            <ul className="jokes" aria-label="Jokes of your own">
              {jokes.map(({ phrase, day }) => (
                <li key={`${day} ${phrase}`}>
                  “{phrase}” <small>since {describeDate(`${day}T12:00:00Z`, now)}</small>
                </li>
              ))}
            </ul>
          )}
          <small>
            {interactions === 1 ? 'one exchange' : `${interactions} exchanges`}, first met{' '}
            {describeDate(firstMetAt, now)}
            {latest !== undefined && `; ${describeMilestone(latest.kind)} ${describeDate(latest.at, now)}`}
          </small>
        </>
      )}
    </section>
  );
}
