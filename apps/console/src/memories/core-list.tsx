import { CORE_LIMITS, type CoreBlock } from '@kith/contracts';
import { useState, type JSX, type RefObject } from 'react';
import { useHold } from '../page/use-hold.js';
import { useOpened } from '../page/use-opened.js';
import { CorrectionForm } from './correction-form.js';
import { describePlace, describeWriter, titleOf } from './describe-block.js';

interface CoreListProps {
  blocks: readonly CoreBlock[];
  /** The companion's name. */
  name: string;
  /** Number of times that the suite came back: what was forgotten before was not told. */
  recoveries: number;
  /** Gets the focus where that of a block goes with it. */
  summary: RefObject<HTMLElement | null>;
  /** Writes a block that says what is shown; empty clears it. Answers false when it could not be done. */
  onWrite: (block: CoreBlock, text: string) => Promise<boolean>;
}

/** Correction of a block, of which there is one at a time. */
interface Draft {
  /** Block as it was when the correction began. */
  begun: CoreBlock;
  /** Place of the block among all. */
  index: number;
  recoveries: number;
}

/** Lists blocks of core memory by the place that they are in mind in, direct talk first. Their owner may write them anew. */
export function CoreList({ blocks, name, recoveries, summary, onWrite }: CoreListProps): JSX.Element {
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<string>(summary);
  const [draft, setDraft] = useState<Draft | null>(null);
  const { isBusy, hold } = useHold();

  const current = blocks.find((block) => keyOf(block) === opened);
  // What is being written may repeat what its block said before.
  const isOutdated = draft?.recoveries !== recoveries && draft?.begun.text !== (current?.text ?? '');
  const written = opened === null || isOutdated ? null : draft;
  const shown =
    written === null || current !== undefined
      ? blocks
      : // Emptied meanwhile, it stays while it is written.
        blocks.toSpliced(written.index, 0, { ...written.begun, text: '' });
  if (shown.length === 0) return <p>Nothing yet. Short notes on you stand here once {name} makes some.</p>;

  const entryOf = (block: CoreBlock): JSX.Element => {
    const { label, text } = block;
    const title = titleOf(label, name);
    const words =
      written === null || keyOf(block) !== opened ? (
        <p className="memory-text">{text}</p>
      ) : (
        <>
          <CorrectionForm
            label={title}
            text={written.begun.text}
            maxLength={CORE_LIMITS[label]}
            clearWord="Clear it"
            {...{ isBusy, onKeyDown }}
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
        {text !== '' && <p className="memory-origin">{describeWriter(block, name)}</p>}
        {label !== 'operator' && written === null && (
          <p className="entry-acts">
            <button
              type="button"
              className="link"
              ref={openerOf(keyOf(block))}
              onClick={() => {
                setDraft({ begun: block, index: blocks.indexOf(block), recoveries });
                open(keyOf(block));
              }}
            >
              Correct
            </button>
          </p>
        )}
      </li>
    );
  };
  const places = [...new Set(shown.map(({ audience }) => audience))];
  return (
    <>
      {places.map((place) => (
        <section key={place} className="memories-day">
          <h3>{describePlace(place)}</h3>
          <ul className="memories">{shown.filter(({ audience }) => audience === place).map(entryOf)}</ul>
        </section>
      ))}
    </>
  );
}

function keyOf({ label, audience }: CoreBlock): string {
  return `${label} ${audience}`;
}
