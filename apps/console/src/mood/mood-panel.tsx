import { companionRoutes, type CompanionView, type NeedView, type RouteClient } from '@kith/contracts';
import { useCallback, useMemo, useState } from 'react';
import { Bloom } from './bloom.js';
import { BondCard } from './bond-card.js';
import { MoodPlot } from './mood-plot.js';
import { describeNeed, describeOctant, nameMood, outcomeWords } from './mood-words.js';
import { chooseSpan, type PlotSpan } from './plot-scale.js';
import { TraitRadar } from './trait-radar.js';
import { useBesideMood, type useMood, WEEK_MS } from './use-mood.js';
import './mood.css';

interface MoodPanelProps {
  api: RouteClient;
  mood: ReturnType<typeof useMood>;
  companion: CompanionView;
  now: Date;
}

/** Shows how the companion feels and why, its bond with the person, its needs and its character. */
export function MoodPanel({ api, mood, companion, now }: MoodPanelProps) {
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  const { course, asRead } = mood;
  const { name } = companion;
  const readNeeds = useCallback(
    async (id: string) => (await api.call(companionRoutes.needs, { params: { id } })).needs,
    [api],
  );
  const needs = useBesideMood(companion.id, asRead, readNeeds) ?? [];
  const readEvents = useCallback(
    async (id: string) => {
      const query = { from: new Date(Date.now() - WEEK_MS).toISOString(), limit: 200 };
      return (await api.call(companionRoutes.affectEvents, { params: { id }, query })).events;
    },
    [api],
  );
  const events = useBesideMood(companion.id, asRead, readEvents);
  const outcomes = useMemo(() => outcomeWords(events ?? [], now), [events, now]);
  if (course === null) {
    return (
      <section className="panel mood" aria-label="Mood">
        <p className="hint">
          {mood.isStale ? `${name}'s mood is out of reach just now.` : 'Reading the mood …'}
        </p>
      </section>
    );
  }
  const span = wanted ?? chooseSpan(course.series, now.getTime());
  const { bond } = course;
  return (
    <section className="panel mood" aria-label="Mood">
      <header className="mood-now">
        <Bloom pad={course.now.pad} className="mood-bloom" />
        <div>
          <h2>
            {name} is {nameMood(course.now)}
          </h2>
          <p className="hint">
            {describeOctant(course.now.label)}
            {mood.isStale && ' (as last heard)'}
          </p>
        </div>
      </header>
      <MoodPlot course={course} outcomes={outcomes} span={span} now={now} onSpan={setWanted} />
      {bond !== null && <BondCard bond={bond} name={name} now={now} />}
      <details className="character">
        <summary>Needs and character</summary>
        {needs.length > 0 && <NeedsGauges needs={needs} name={name} />}
        <TraitRadar traits={companion.traits} name={name} />
      </details>
    </section>
  );
}

/** Shows how unmet each need is, the most urgent first. */
function NeedsGauges({ needs, name }: { needs: readonly NeedView[]; name: string }) {
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
