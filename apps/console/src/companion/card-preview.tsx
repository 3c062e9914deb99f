import { useState } from 'react';
import { LinkButton } from '../page/button.js';
import { CardReport } from './card-report.js';
import type { Draft } from './use-roster.js';

interface CardPreviewProps {
  draft: Draft;
  isBusy: boolean;
  onBringIn: (id: string, replace: boolean) => void;
  onDismiss: () => void;
}

/** Shows what a dropped file holds, before anything is changed. */
export function CardPreview({ draft, isBusy, onBringIn, onDismiss }: CardPreviewProps) {
  const { persona, report, loreEntries, isThere } = draft.found;
  const readId = String(persona['id']);
  const [id, setId] = useState(readId);
  const isTaken = isThere && id === readId;
  return (
    <section className="card-preview" aria-label={`What ${draft.fileName} holds`}>
      <h3>
        {String(persona['name'])} <span className="hint">{report.format}</span>
      </h3>
      <p>{String(persona['tagline'])}</p>
      {loreEntries > 0 && <p className="hint">Entries of lore: {loreEntries}</p>}
      <CardReport report={report} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onBringIn(id.trim(), isTaken);
        }}
      >
        <label>
          Id <input value={id} maxLength={60} required onChange={(event) => setId(event.target.value)} />
        </label>
        <button type="submit" className="primary" disabled={isBusy}>
          {isTaken ? 'Make it a new version' : 'Bring it in'}
        </button>
        <LinkButton onClick={onDismiss}>Leave it</LinkButton>
      </form>
      {isTaken && <p className="hint">The companion that has this id becomes this one.</p>}
    </section>
  );
}
