import type { BondView } from '@kith/contracts';
import { describeDate } from '../page/describe-date.js';

const MEASURES = ['familiarity', 'affection', 'trust', 'tension'] as const;

/** Shows the bond of the two: in words, in measures, and by what they reached together. */
export function BondCard({ bond, name, now }: { bond: BondView; name: string; now: Date }) {
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
            {latest !== undefined && `; ${MILESTONES[latest.kind]} ${describeDate(latest.at, now)}`}
          </small>
        </>
      )}
    </section>
  );
}

/** A word for a level in [0, 1], and the level up to which it holds. */
type Scale = readonly (readonly [upTo: number, words: string])[];

const FAMILIARITY: Scale = [
  [0.1, 'You have only just met'],
  [0.4, 'You are getting to know each other'],
  [0.75, 'You know each other well'],
  [1, 'You know each other inside out'],
];

// Strangers start in the middle of these two, so the middle has the neutral words.
const AFFECTION: Scale = [
  [0.4, 'is keeping its distance'],
  [0.55, 'is well disposed'],
  [0.75, 'is fond of you'],
  [1, 'is very fond of you'],
];
const TRUST: Scale = [
  [0.4, 'is on its guard'],
  [0.55, 'gives you the benefit of the doubt'],
  [0.75, 'trusts you'],
  [1, 'trusts you without reserve'],
];

/** Describes the bond in a sentence or two: how well they know, like and trust, or what is between them. */
export function describeBond(bond: BondView, name: string): string {
  const { familiarity, affection, trust, interactions, stage } = bond;
  if (interactions === 0) return `You and ${name} have not met yet.`;
  const known = wordsFor(familiarity, FAMILIARITY);
  return stage === 'strained'
    ? `${known}. There is tension between you just now; it passes.`
    : `${known}. ${name} ${wordsFor(affection, AFFECTION)} and ${wordsFor(trust, TRUST)}.`;
}

/** Names of milestones, as they stand before their dates. */
const MILESTONES: Readonly<Record<BondView['milestones'][number]['kind'], string>> = {
  'first-meeting': 'first met',
  'exchanges-10': 'ten exchanges',
  'exchanges-100': 'a hundred exchanges',
  'exchanges-1000': 'a thousand exchanges',
  'a-year': 'a year together',
};

function wordsFor(level: number, scale: Scale): string {
  return (scale.find(([upTo]) => level < upTo) ?? scale.at(-1))?.[1] ?? '';
}
