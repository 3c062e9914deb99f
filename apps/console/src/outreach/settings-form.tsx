import { MAX_DAILY_CAP, MAX_WEEKLY_CAP, type OutreachChange, type OutreachSettings } from '@kith/contracts';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import { useUnsaved } from '../page/unsaved.js';
import {
  changedIn,
  draftOf,
  readDraft,
  type DraftProblems,
  type SettingsDraft,
  type TypedFields,
  without,
} from './read-draft.js';

interface SettingsFormProps {
  settings: OutreachSettings;
  /** Resolves once the settings show the change; with false when it could not be saved. */
  onSave: (change: z.output<typeof OutreachChange>) => Promise<boolean>;
}

interface Field {
  name: keyof SettingsDraft;
  label: string;
  hint: string;
  type: 'text' | 'time' | 'number';
  most?: number;
}

const FIELDS: readonly Field[] = [
  {
    name: 'timeZone',
    label: 'Your city or time zone',
    type: 'text',
    hint: 'Such as Berlin, Europe/Berlin or UTC+2.',
  },
  { name: 'quietFrom', label: 'Quiet from', type: 'time', hint: 'On your own clock.' },
  {
    name: 'quietUntil',
    label: 'Quiet until',
    type: 'time',
    hint: 'The same time twice means no quiet hours.',
  },
  {
    name: 'dailyCap',
    label: 'Most messages a day',
    type: 'number',
    most: MAX_DAILY_CAP,
    hint: `0 to ${MAX_DAILY_CAP}.`,
  },
  {
    name: 'weeklyCap',
    label: 'Most in seven days',
    type: 'number',
    most: MAX_WEEKLY_CAP,
    hint: `0 to ${MAX_WEEKLY_CAP}.`,
  },
  {
    name: 'topicsOff',
    label: 'Topics it does not bring up',
    type: 'text',
    hint: 'With commas between. What you ask for yourself still comes.',
  },
];

const ZONES = Intl.supportedValuesOf('timeZone');

/** Form for when and how often it may write, and topics to leave out. An error is beside its field. */
export function SettingsForm({ settings, onSave }: SettingsFormProps) {
  const [typed, setTyped] = useState<TypedFields>({});
  // A field that nobody typed in shows what is in force, also where that changes elsewhere.
  const draft = { ...draftOf(settings), ...typed };
  const changed = changedIn(typed, settings);
  useUnsaved(Object.keys(changed).length > 0);
  const [problems, setProblems] = useState<DraftProblems>({});
  const [isSaved, setSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const read = readDraft(changed);
    if ('problems' in read) {
      setProblems(read.problems);
      return;
    }
    setProblems({});
    const saved = await onSave(read.change);
    setSaved(saved);
    // What was saved shows as it was understood: a city has become its zone. What was typed meanwhile stays.
    if (saved) setTyped((now) => without(now, typed));
  }

  return (
    <form className="outreach-form" ref={form} noValidate onSubmit={(event) => void submit(event)}>
      {FIELDS.map(({ name, label, hint, type, most }) => {
        const problem = problems[name];
        return (
          <div key={name} className="field" data-field={name}>
            <label htmlFor={`${id}${name}`}>{label}</label>
            <input
              id={`${id}${name}`}
              type={type}
              value={draft[name]}
              {...(most === undefined ? {} : { min: 0, max: most })}
              {...(name === 'timeZone' ? { list: `${id}zones`, autoComplete: 'off' } : {})}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}${name}-hint`}
              onChange={(event) => {
                setSaved(false);
                setTyped(changedIn({ ...typed, [name]: event.target.value }, settings));
              }}
            />
            <p id={`${id}${name}-hint`} className={problem === undefined ? 'hint' : 'field-problem'}>
              {problem ?? hint}
            </p>
          </div>
        );
      })}
      <datalist id={`${id}zones`}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p className="form-end">
        <button type="submit" className="save">
          Save
        </button>
        <span role="status">{isSaved && Object.keys(changed).length === 0 ? 'Saved.' : ''}</span>
      </p>
    </form>
  );
}
