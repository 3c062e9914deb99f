import { useState, type JSX } from 'react';

interface PersonaEditorProps {
  /** Null: a new companion. */
  companionId: string | null;
  json: string;
  isBusy: boolean;
  onWrite: (json: string) => void;
  onClose: () => void;
}

/** Edits a persona as its file holds it. Saving it names a field that is wrong. */
export function PersonaEditor(props: PersonaEditorProps): JSX.Element {
  const { companionId, isBusy } = props;
  const [json, setJson] = useState(props.json);
  return (
    <form
      className="persona-editor"
      aria-label={companionId === null ? 'A new companion' : `Persona of ${companionId}`}
      onKeyDown={(event) => {
        // What was changed is not thrown away by a key.
        if (event.key === 'Escape' && json === props.json) props.onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        props.onWrite(json);
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
        value={json}
        spellCheck={false}
        rows={24}
        onChange={(event) => setJson(event.target.value)}
      />
      <p>
        <button type="submit" className="primary" disabled={isBusy}>
          {companionId === null ? 'Create it' : 'Put it in force'}
        </button>
        <button type="button" className="link" onClick={props.onClose}>
          Close
        </button>
      </p>
    </form>
  );
}
