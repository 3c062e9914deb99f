import { useState, type KeyboardEvent } from 'react';
import { LinkButton } from '../page/button.js';
import { useUnsaved } from '../page/unsaved.js';

interface CorrectionFormProps {
  /** Name of the box. */
  label: string;
  /** Text that is put right. */
  text: string;
  maxLength: number;
  /** Word of the button that takes the text away; undefined where it can't be empty. */
  clearWord?: string;
  isBusy: boolean;
  onSave: (text: string) => void;
  onLeave: () => void;
  /** Has Escape leave. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Box in which the owner of a text puts it right, in its place. */
export function CorrectionForm(props: CorrectionFormProps) {
  const { label, text, maxLength, clearWord, isBusy, onSave, onLeave, onKeyDown } = props;
  const [written, setWritten] = useState<string | null>(null);
  // A box that nobody typed in shows what the text says, also where that changes elsewhere.
  const typed = written ?? text;
  const isEmpty = typed.trim() === '';
  useUnsaved(typed !== text);
  return (
    <form
      className="entry-edit"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed.trim());
      }}
      // Escape does not throw changes away.
      onKeyDown={(event) => typed === text && onKeyDown(event)}
    >
      <textarea
        aria-label={label}
        autoFocus
        value={typed}
        maxLength={maxLength}
        onChange={(event) => setWritten(event.target.value)}
      />
      <button type="submit" aria-disabled={isBusy} disabled={isEmpty && clearWord === undefined}>
        {isEmpty && clearWord !== undefined ? clearWord : 'Save'}
      </button>
      <LinkButton onClick={onLeave}>Leave it</LinkButton>
    </form>
  );
}
