import type { CompanionView, RouteClient } from '@kith/contracts';
import { useRef, useState, type DragEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../page/button.js';
import { CardPreview } from './card-preview.js';
import { CompanionRow } from './companion-row.js';
import './companions.css';
import { personaDrafts, type PersonaDraft } from './persona-draft.js';
import { PersonaEditor } from './persona-editor.js';
import { useRoster } from './use-roster.js';

interface CompanionsPageProps {
  api: RouteClient;
  personId: string;
  companions: CompanionView[];
  /** Companion whose persona a new one begins as. */
  companionId: string;
  onChanged: () => void;
}

/** Lets operators bring companions in, change, pause and retire them. */
export function CompanionsPage({ api, personId, companions, companionId, onChanged }: CompanionsPageProps) {
  const roster = useRoster(api, onChanged);
  const { edited, edit, change, save, close } = useEdited(roster, personId, companionId);
  // Opening another one would replace unsaved changes.
  const mayEdit = !roster.isBusy && edited === null;
  return (
    <main className="page companions-page" aria-label="Companions">
      <header>
        <h2>Companions</h2>
        <p className="hint">
          Bring a character in, pause one, or change who it is. All of it is in force at once, and kept in the
          operators’ log.
        </p>
      </header>
      <CardDrop roster={roster} />
      {roster.said && <p role={roster.said.isProblem ? 'alert' : 'status'}>{roster.said.text}</p>}
      {roster.draft && (
        <CardPreview
          key={roster.draft.content}
          draft={roster.draft}
          isBusy={roster.isBusy}
          onBringIn={roster.bringIn}
          onDismiss={roster.dismiss}
        />
      )}
      {edited && (
        <PersonaEditor
          draft={edited}
          isBusy={roster.isBusy}
          onChange={(written) => change({ ...edited, written })}
          onSave={() => void save(edited)}
          onClose={close}
        />
      )}
      <ul className="companion-list">
        {companions.map((companion) => (
          <CompanionRow
            key={companion.id}
            companion={companion}
            roster={roster}
            mayEdit={mayEdit}
            onEdit={() => void edit(companion.id)}
          />
        ))}
      </ul>
      <Button disabled={!mayEdit} onClick={() => void edit(null)}>
        A new companion …
      </Button>
    </main>
  );
}

type Roster = ReturnType<typeof useRoster>;

/** Takes a file with a character, dropped or chosen. */
function CardDrop({ roster }: { roster: Roster }) {
  const [isOver, setOver] = useState(false);
  const preview = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) roster.preview(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    // Orders are carried out one at a time.
    if (!roster.isBusy) preview(event.dataTransfer.files);
  };
  return (
    <label
      className="card-drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      Drop a card here, or choose a file: a Tavern card (JSON or PNG), a character of ElizaOS, an agent of
      Letta, or a persona of Kith.
      <input
        type="file"
        accept=".json,.png,.af,application/json,image/png"
        disabled={roster.isBusy}
        onChange={(event) => {
          preview(event.target.files);
          event.target.value = '';
        }}
      />
    </label>
  );
}

/**
 * Keeps the persona that is being changed, from the opening of its editor to the closing.
 * @param companionId whose persona a new one begins as
 */
function useEdited(roster: Roster, personId: string, companionId: string) {
  const [edited, setEdited] = useState(() => personaDrafts.load(personId));
  const opener = useRef<Element | null>(null);
  const close = (): void => {
    personaDrafts.drop();
    flushSync(() => setEdited(null));
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return {
    edited,
    /** Opens a companion's persona; null: a new one. */
    edit: async (id: string | null): Promise<void> => {
      opener.current = document.activeElement;
      const found = await roster.personaOf(id ?? companionId);
      if (found === null) return;
      const { json, version } = found;
      setEdited({ companionId: id, ...(id !== null && { basedOn: version }), before: json, written: json });
    },
    change: (draft: PersonaDraft): void => {
      setEdited(draft);
      personaDrafts.save(personId, draft);
    },
    save: async (draft: PersonaDraft): Promise<void> => {
      const isTaken = await roster.write(draft);
      // Where another page was opened meanwhile, and this one anew, more may have been written.
      const kept = personaDrafts.load(personId);
      if (isTaken && (kept === null || kept.written === draft.written)) close();
    },
    close,
  };
}
