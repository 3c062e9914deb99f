import { counted, MemoryKind, MemoryShelf } from '@kith/contracts';
import { useRef, useState } from 'react';
import { Button, LinkButton } from '../page/button.js';
import { clock } from '../page/describe-date.js';
import { Problem } from '../page/problem.js';
import { useDebounced } from '../page/use-debounced.js';
import { useHasUnsaved } from '../page/unsaved.js';
import { useFocusKept } from '../page/use-focus-kept.js';
import { AboutYou } from './about-you.js';
import { CoreMemory } from './core-memory.js';
import { EraseMe } from './erase-me.js';
import { groupByDay } from './group-by-day.js';
import './memories.css';
import '../recall/recall.css';
import { MemoryEntry } from './memory-entry.js';
import { PrivacySwitch } from './privacy-switch.js';
import { MAX_FOUND, type MemoriesProps, useMemories } from './use-memories.js';
import { YourKeys } from './your-keys.js';

interface MemoriesPageProps extends MemoriesProps {
  /** Number of the changes of the talk that forgot words. */
  talkForgets: number;
  onErased: (words: string) => void;
}

/** Pause in typing after which a search begins. */
const TYPED_MS = 300;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Everything a companion keeps of the person: as a timeline, or what a search finds and why. */
export function MemoriesPage(props: MemoriesPageProps) {
  const { api, companionId, name, talkChanges, talkForgets, onErased } = props;
  const [typed, setTyped] = useState('');
  const query = useDebounced(typed.trim(), TYPED_MS);
  const [kind, setKind] = useState<MemoryKind | null>(null);
  const [shelf, setShelf] = useState<MemoryShelf | null>(null);
  const memories = useMemories(props, { query, kind, shelf });
  const { forgotten } = props.last;
  // A notice from an earlier visit takes no focus.
  const [earlier] = useState(forgotten);
  const outcome = useRef<HTMLParagraphElement>(null);
  useFocusKept(forgotten !== null, outcome);
  useFocusKept(!memories.isChangedGone, outcome);
  useFocusKept(memories.newer > 0, outcome);
  const isCorrecting = useHasUnsaved();
  return (
    <main className="page" aria-label={`What ${name} remembers`}>
      <header className="memories-head">
        <h2>What {name} remembers of you</h2>
        <fieldset
          className="memories-filters"
          role="search"
          // A new list of memories would take the open correction away.
          disabled={isCorrecting}
          title={isCorrecting ? 'Save or leave what you correct first.' : undefined}
        >
          <input
            type="search"
            aria-label="Search memories"
            placeholder="Search as recall would"
            value={typed}
            maxLength={500}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Choice
            label="Kind"
            all="every kind"
            options={MemoryKind.options}
            value={kind}
            onChoose={setKind}
          />
          <Choice
            label="Shelf"
            all="every shelf"
            options={MemoryShelf.options}
            value={shelf}
            onChoose={setShelf}
          />
        </fieldset>
        <PrivacySwitch api={api} talkChanges={talkChanges} />
        <AboutYou
          key={companionId}
          api={api}
          companionId={companionId}
          changes={memories.changes + talkChanges}
        />
        <CoreMemory
          api={api}
          companionId={companionId}
          name={name}
          forgets={memories.forgets + talkForgets}
        />
        <YourKeys api={api} />
        <EraseMe api={api} onErased={onErased} />
      </header>
      <Problem words={memories.problem} onRetry={memories.retry} />
      <p role="status" tabIndex={-1} ref={outcome}>
        {memories.isChangedGone
          ? 'It is saved, and does not fit what you look for any more.'
          : memories.noted}
      </p>
      {forgotten !== null && (
        <p key={forgotten.receipt} className="memories-undo" role="status">
          {forgotten.lines === null
            ? `It is noted, and ${forgotten.name} forgets it as soon as every part of Kith answers.`
            : `${forgotten.name} has forgotten it, with ${counted(forgotten.lines, 'line')} of your talk.`}{' '}
          After {clock(forgotten.until)} it is gone for good.
          <LinkButton autoFocus={forgotten !== earlier && !isTyping()} onClick={memories.undo}>
            Undo
          </LinkButton>
        </p>
      )}
      {memories.newer > 0 && (
        <p role="status">
          {memories.newer} new <LinkButton onClick={memories.reread}>Show</LinkButton>
        </p>
      )}
      <Timeline memories={memories} name={name} />
    </main>
  );
}

/** Tells whether somebody writes in a field, such as the search: what comes then takes no focus. */
function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea') ?? false;
}

interface ChoiceProps<T extends string> {
  label: string;
  all: string;
  options: readonly T[];
  value: T | null;
  onChoose: (value: T | null) => void;
}

function Choice<T extends string>({ label, all, options, value, onChoose }: ChoiceProps<T>) {
  return (
    <select
      className="picker"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChoose(options.find((option) => option === event.target.value) ?? null)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

function Timeline({ memories, name }: { memories: ReturnType<typeof useMemories>; name: string }) {
  const { items, filter } = memories;
  if (items === null) return <p role="status">{memories.problem === null ? 'Looking …' : ''}</p>;
  const isSearch = filter.query !== '';
  const among = memories.isPartial ? ` among the ${MAX_FOUND} that fit best` : '';
  if (items.length === 0 && among !== '') return <p role="status">{`Nothing like that${among}.`}</p>;
  if (items.length === 0) {
    const words =
      isSearch || filter.kind !== null || filter.shelf !== null
        ? 'Nothing comes to mind for that.'
        : `Nothing yet. Talk with ${name} a little.`;
    return <p role="status">{words}</p>;
  }
  // A search has the best first, whenever it was said.
  const days = isSearch ? [{ day: null, items }] : groupByDay(items);
  return (
    <>
      <p className="hint">{isSearch ? `${items.length} found${among}` : `${memories.total} in all`}</p>
      {days.map(({ day, items: own }) => (
        <section key={day ?? 'found'} className="memories-day">
          {day !== null && <h3>{DAY.format(new Date(`${day}T00:00:00Z`))}</h3>}
          <ul className="memories">
            {own.map((memory) => (
              <MemoryEntry
                key={memory.id}
                memory={memory}
                onChange={(change) => memories.change(memory.id, change)}
                onForget={() => memories.forget(memory.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {memories.hasMore && <Button onClick={memories.more}>Earlier ones</Button>}
    </>
  );
}
