import { type Audience, CORE_LIMITS, type CoreBlock, type CoreLabel } from '@kith/contracts';
import { useState } from 'react';
import { LinkButton } from '../page/button.js';
import { useHold } from '../page/use-hold.js';
import { useOpened } from '../page/use-opened.js';
import { CorrectionForm } from './correction-form.js';
import { dayOf } from '../page/describe-date.js';

interface CoreListProps {
  blocks: readonly CoreBlock[];
  /** The companion's name. */
  name: string;
  /** Number of times that the suite came back: what was forgotten before was not told. */
  recoveries: number;
  /** Writes a block that says what is shown; empty clears it. Answers false when it could not be done. */
  onWrite: (block: Slot, text: string) => Promise<boolean>;
}

/** Block, or the place of one that is not written yet. */
export type Slot = Pick<CoreBlock, 'label' | 'audience' | 'text'>;

/** Correction of a block, of which there is one at a time. */
interface Draft {
  /** Block as it was when the correction began. */
  begun: Slot;
  recoveries: number;
}

/**
 * Lists blocks of core memory by the place that they are in mind in, direct talk first. Their owner may write them anew,
 * and the first ones too.
 */
export function CoreList({ blocks, name, recoveries, onWrite }: CoreListProps) {
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<string>();
  const [draft, setDraft] = useState<Draft | null>(null);
  const { isBusy, hold } = useHold();

  const current = blocks.find((block) => keyOf(block) === opened);
  // What is being written may repeat what its block said before.
  const isOutdated = draft?.recoveries !== recoveries && draft?.begun.text !== (current?.text ?? '');
  const written = opened === null || isOutdated ? null : draft;
  // A channel whose last block was emptied meanwhile stays while that is written.
  const noted = [...blocks, ...(written === null ? [] : [written.begun])].map(({ audience }) => audience);
  const places = new Set<Audience>(['direct', ...noted.toSorted()]);

  const entryOf = (block: CoreBlock | Slot) => {
    const { label, text } = block;
    const title = titleOf(label, name);
    const words =
      written === null || keyOf(block) !== opened ? (
        text !== '' && <p className="memory-text">{text}</p>
      ) : (
        <>
          <CorrectionForm
            label={title}
            text={written.begun.text}
            maxLength={CORE_LIMITS[label]}
            {...(written.begun.text !== '' && { clearWord: 'Clear it' })}
            isBusy={isBusy}
            onKeyDown={onKeyDown}
            onSave={(typed) =>
              void hold(() => onWrite(block, typed)).then((isWritten) => isWritten && leave())
            }
            onLeave={leave}
          />
          {/* The companion may write into it meanwhile: that is not replaced unseen. */}
          {!isBusy && text !== written.begun.text && <p role="status">It says now: {text || 'nothing'}</p>}
        </>
      );
    return (
      <li key={label} className="core-block">
        <h4>{title}</h4>
        {words}
        {'updatedAt' in block && <p className="memory-origin">{describeWriter(block, name)}</p>}
        {label !== 'operator' && written === null && (
          <p className="entry-acts">
            <LinkButton
              ref={openerOf(keyOf(block))}
              onClick={() => {
                setDraft({ begun: block, recoveries });
                open(keyOf(block));
              }}
            >
              {text === '' ? 'Write it' : 'Correct'}
            </LinkButton>
          </p>
        )}
      </li>
    );
  };
  return (
    <>
      {blocks.length === 0 && <p>Nothing yet. Short notes on you stand here once {name} or you make some.</p>}
      {[...places].map((place) => (
        <section key={place} className="memories-day">
          <h3>{describePlace(place)}</h3>
          <ul className="memories">{blocksOf(place, blocks).map(entryOf)}</ul>
        </section>
      ))}
    </>
  );
}

/** Lists the blocks of a place: the two that its owner writes, whether or not there are words, and the operator's if any. */
function blocksOf(audience: Audience, blocks: readonly CoreBlock[]): (CoreBlock | Slot)[] {
  const there = blocks.filter((block) => block.audience === audience);
  const own = (['human', 'persona'] as const).map(
    (label) => there.find((block) => block.label === label) ?? { label, audience, text: '' },
  );
  return [...own, ...there.filter(({ label }) => label === 'operator')];
}

function keyOf({ label, audience }: Slot): string {
  return `${label} ${audience}`;
}

/** Titles a block of core memory by its subject. */
function titleOf(label: CoreLabel, name: string): string {
  const titles = { human: 'Who you are', persona: `How ${name} is with you`, operator: 'From the operator' };
  return titles[label];
}

/** Names the place that a block is in mind in. */
function describePlace(audience: Audience): string {
  const [, door = '', id = ''] = audience.split(':');
  if (door === '') return 'Between you two';
  // One channel is told from another by its id alone.
  return `In the ${door.charAt(0).toUpperCase()}${door.slice(1)} channel ${id}`;
}

/** Says who wrote a block last, and when. */
function describeWriter(
  { updatedBy, updatedAt }: Pick<CoreBlock, 'updatedBy' | 'updatedAt'>,
  name: string,
): string {
  const writers = { person: 'you', companion: name, operator: 'the operator' };
  return `last written by ${writers[updatedBy]} on ${dayOf(updatedAt)}`;
}
