import {
  type CharacterFormat,
  type CharacterImported,
  type CompanionView,
  personaRoutes,
  type RouteClient,
} from '@kith/contracts';
import { useCallback, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/api-client.js';
import { wordsOf } from '../page/problem.js';
import { leaveOutPixels } from './leave-out-pixels.js';
import type { PersonaDraft } from './persona-draft.js';

/** A file that was dropped and read, and waits for the operator's decision. */
export interface Draft {
  fileName: string;
  content: string;
  found: z.infer<typeof CharacterImported>;
}

/** Carries out what operators order of companions, one order at a time; calls `changed` after each that changed them. */
export function useRoster(api: RouteClient, changed: () => void) {
  const [isBusy, setBusy] = useState(false);
  /** Outcome of the last thing that was done, good or bad; null: nothing yet. */
  const [said, setSaid] = useState<{ text: string; isProblem: boolean } | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);

  /** Does one thing, and says what came of it. */
  const act = useCallback(
    async (work: () => Promise<string | null>): Promise<boolean> => {
      setBusy(true);
      try {
        const text = await work();
        setSaid(text === null ? null : { text, isProblem: false });
        if (text !== null) changed();
        return true;
      } catch (error) {
        setSaid({ text: wordsOf(error), isProblem: true });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [changed],
  );

  return {
    isBusy,
    said,
    draft,
    preview: (file: File) =>
      void act(async () => {
        setDraft(null);
        const content = await contentOf(file);
        const found = await api.call(personaRoutes.import, { body: { content, dryRun: true } });
        setDraft({ fileName: file.name, content, found });
        return null;
      }),
    dismiss: () => setDraft(null),
    bringIn: (id: string, replace: boolean) =>
      void act(async () => {
        const body = { content: draft?.content ?? '', id, replace };
        const { companion } = await api.call(personaRoutes.import, { body });
        setDraft(null);
        return `${companion?.name ?? id} is in force, version ${companion?.version ?? 1}.`;
      }),
    pause: (id: string, paused: boolean) =>
      void act(async () => {
        const { name } = await api.call(personaRoutes.pause, { params: { id }, body: { paused } });
        return paused ? `${name} is paused: it answers nobody.` : `${name} answers again.`;
      }),
    retire: (id: string) =>
      void act(async () => {
        const { retired } = await api.call(personaRoutes.retire, { params: { id } });
        return `${retired} is out of service; what it keeps of people stays.`;
      }),
    save: (id: string, format: CharacterFormat) =>
      void act(async () => {
        const document = await api.call(personaRoutes.export, { params: { id }, query: { format } });
        download(`${id}.${format}.json`, JSON.stringify(document, null, 2));
        return null;
      }),
    /** Reads the persona in force, and its version. Null: it could not be read. */
    personaOf: async (id: string) => {
      let found = null as { json: string; version: number } | null;
      await act(async () => {
        const { persona, version } = await api.call(personaRoutes.show, { params: { id }, query: {} });
        found = { json: JSON.stringify(persona, null, 2), version };
        return null;
      });
      return found;
    },
    /** Answers true once it is in force. */
    write: (written: PersonaDraft) =>
      act(async () => {
        const { name, version } = await putPersona(api, written);
        return `${name} is version ${version} now.`;
      }),
  };
}

/** Reads a file as base64, without what only its looks need. */
async function contentOf(file: File): Promise<string> {
  const bytes = leaveOutPixels(new Uint8Array(await file.arrayBuffer()));
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(`${file.name} can’t be read.`));
  });
  reader.readAsDataURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const url = await read;
  return url.slice(url.indexOf(',') + 1);
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * Puts what an operator wrote in force: as a new companion, or in place of the version that they began with.
 * @throws Error whose message is fit to show; where another version is in force by now, it says what to do
 */
export async function putPersona(
  api: Pick<RouteClient, 'call'>,
  { companionId, basedOn, written }: PersonaDraft,
): Promise<CompanionView> {
  const body = parseObject(written);
  if (companionId === null) return api.call(personaRoutes.create, { body });
  try {
    return await api.call(personaRoutes.edit, { params: { id: companionId }, query: { basedOn }, body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== CONFLICT) throw error;
    const advice = 'What you wrote is still here: copy what you changed, close it, and edit the new version.';
    throw new ApiError(error.status, `${error.message}. ${advice}`, { cause: error });
  }
}

/** Status of a refusal because somebody else was faster. */
const CONFLICT = 409;

function parseObject(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new Error(`That is not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('A persona is a JSON object.');
  return value as Record<string, unknown>;
}
