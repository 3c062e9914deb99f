import { Button, LinkButton } from '../page/button.js';
import { useAskBeforeClose } from '../page/unsaved.js';
import { useOpened } from '../page/use-opened.js';
import type { PersonaDraft } from './persona-draft.js';

interface PersonaEditorProps {
  draft: PersonaDraft;
  isBusy: boolean;
  onChange: (written: string) => void;
  onSave: () => void;
  onClose: () => void;
}

/** Edits a persona as its file holds it. Saving it names a field that is wrong. */
export function PersonaEditor(props: PersonaEditorProps) {
  const { isBusy, draft } = props;
  const { companionId, before, written } = draft;
  const { opened, open, leave, openerOf, onKeyDown } = useOpened<'question'>();
  const isChanged = written !== before;
  // The changes are kept over a visit to another page, but a tab that is closed keeps nothing.
  useAskBeforeClose(isChanged);
  return (
    <form
      className="persona-editor"
      aria-label={companionId === null ? 'A new companion' : `Persona of ${companionId}`}
      onKeyDown={(event) => {
        // Escape does not throw changes away.
        if (event.key === 'Escape' && !isChanged) props.onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSave();
      }}
    >
      <p className="hint">
        {companionId === null
          ? 'A companion of its own: give it another id and name, and change what makes it who it is.'
          : 'What you save is a new version, in force at once, until its file changes.'}
      </p>
      <textarea
        aria-label="Persona as JSON"
        autoFocus
        value={written}
        spellCheck={false}
        rows={24}
        readOnly={isBusy}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {opened === 'question' ? (
        <p key="question" role="alert" onKeyDown={onKeyDown}>
          Throw away what you changed? <Button onClick={props.onClose}>Throw it away</Button>
          <LinkButton autoFocus onClick={leave}>
            Keep on
          </LinkButton>
        </p>
      ) : (
        <p key="acts">
          <button type="submit" className="primary" disabled={isBusy}>
            {companionId === null ? 'Create it' : 'Put it in force'}
          </button>
          <LinkButton
            ref={openerOf('question')}
            onClick={() => (isChanged ? open('question') : props.onClose())}
          >
            Close
          </LinkButton>
        </p>
      )}
    </form>
  );
}
