import { CORE_LIMITS, type CoreBlock } from '@kith/contracts';
import { useState, type JSX } from 'react';
import { useHold } from '../page/use-hold.js';
import { useOpened } from '../page/use-opened.js';
import { CorrectionForm } from './correction-form.js';
import { describePlace, describeWriter, titleOf } from './describe-block.js';

interface CoreListProps {
  blocks: readonly CoreBlock[];
  /** The companion's name. */
  name: string;
  /** Writes a block that says what is shown; empty clears it. Answers false when it could not be done. */
  onWrite: (block: CoreBlock, text: string) => Promise<boolean>;
}

/** Lists blocks of core memory by the place that they are in mind in, direct talk first. */
export function CoreList({ blocks, name, onWrite }: CoreListProps): JSX.Element {
  if (blocks.length === 0) return <p>Nothing yet. Short notes on you stand here once {name} makes some.</p>;
  const places = [...new Set(blocks.map(({ audience }) => audience))];
  return (
    <>
      {places.map((place) => (
        <section key={place} className="memories-day">
          <h3>{describePlace(place)}</h3>
          <ul className="memories">
            {blocks
              .filter(({ audience }) => audience === place)
              .map((block) => (
                <CoreEntry
                  key={block.label}
                  block={block}
                  name={name}
                  onWrite={(text) => onWrite(block, text)}
                />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface CoreEntryProps extends Pick<CoreListProps, 'name'> {
  block: CoreBlock;
  onWrite: (text: string) => Promise<boolean>;
}

/** One block, which its owner may write anew unless it is the operator's. */
function CoreEntry({ block, name, onWrite }: CoreEntryProps): JSX.Element {
  const { label, text } = block;
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<'correction'>();
  /** Text that was there when its owner began to write. */
  const [begun, setBegun] = useState(text);
  const { isBusy, hold } = useHold();
  const title = titleOf(label, name);
  return (
    <li className="core-block">
      <h4>{title}</h4>
      {opened === null ? (
        <p className="memory-text">{text}</p>
      ) : (
        <CorrectionForm
          label={title}
          text={begun}
          maxLength={CORE_LIMITS[label]}
          clearWord="Clear it"
          {...{ isBusy, onKeyDown }}
          onSave={(typed) => void hold(() => onWrite(typed)).then((isWritten) => isWritten && leave())}
          onLeave={leave}
        />
      )}
      {/* The companion may write into it meanwhile: that is not replaced unseen. */}
      {opened !== null && !isBusy && text !== begun && <p role="status">It says now: {text}</p>}
      <p className="memory-origin">{describeWriter(block, name)}</p>
      {label !== 'operator' && opened === null && (
        <p className="entry-acts">
          <button
            type="button"
            className="link"
            ref={openerOf('correction')}
            onClick={() => {
              setBegun(text);
              open('correction');
            }}
          >
            Correct
          </button>
        </p>
      )}
    </li>
  );
}
