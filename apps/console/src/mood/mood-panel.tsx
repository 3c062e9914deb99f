import { useState, type JSX } from 'react';
import { describeRelationship } from '../companion/describe-relationship.js';
import { describeDate } from '../recall/describe-date.js';
import { Bloom } from './bloom.js';
import { MoodPlot } from './mood-plot.js';
import { describeOctant, nameMood } from './mood-words.js';
import { chooseSpan, type PlotSpan } from './plot-scale.js';
import type { Mood } from './use-mood.js';
import './mood.css';

interface MoodPanelProps {
  mood: Mood;
  name: string;
  now: Date;
}

/** How the companion feels, how it came to that, and what the two are to each other. */
export function MoodPanel({ mood, name, now }: MoodPanelProps): JSX.Element {
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  const { course } = mood;
  if (course === null) {
    return (
      <section className="panel mood" aria-label="Mood">
        <p className="recall-empty">
          {mood.isStale ? `${name}'s mood is out of reach just now.` : 'Reading the mood …'}
        </p>
      </section>
    );
  }
  const span = wanted ?? chooseSpan(course.series, now.getTime());
  const { relationship } = course;
  return (
    <section className="panel mood" aria-label="Mood">
      <header className="mood-now">
        <Bloom pad={course.now.pad} className="mood-bloom" />
        <div>
          <h2>
            {name} is {nameMood(course.now)}
          </h2>
          <p>
            {describeOctant(course.now.label)}
            {mood.isStale && ' (as last heard)'}
          </p>
        </div>
      </header>
      <MoodPlot course={course} span={span} now={now} onSpan={setWanted} />
      {relationship !== null && (
        <p className="relationship" role="note" aria-label="Relationship">
          {describeRelationship(relationship, name)}
          {relationship.firstMetAt !== null && (
            <small>
              {relationship.interactions === 1 ? 'one exchange' : `${relationship.interactions} exchanges`},
              first met {describeDate(relationship.firstMetAt, now)}
            </small>
          )}
        </p>
      )}
    </section>
  );
}
