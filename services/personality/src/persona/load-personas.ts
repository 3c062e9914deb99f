import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Persona, readPersona } from '@kith/characters';

/** The companions that come with the service. */
export const SHIPPED_FOLDER = join(import.meta.dirname, '../../companions');

/**
 * Reads every `*.json` of the folders, in their order. A companion of a later folder replaces one of the same
 * id in an earlier one, so that an operator can rewrite what is shipped; twice in one folder is a problem of
 * the second file. A file that can't be read is left out and becomes a problem; the others still load.
 */
export async function loadPersonas(folders: readonly string[]) {
  const byId = new Map<string, Persona>();
  const problems: string[] = [];
  for (const folder of folders) {
    const inFolder = new Map<string, string>();
    for (const file of await personaFilesOf(folder, problems)) {
      const reading = await readFile(join(folder, file), 'utf8').then(
        (text) => readPersona(file, text),
        (error: unknown) => ({ ok: false as const, problems: [unreadable(file, error)] }),
      );
      if (!reading.ok) {
        problems.push(...reading.problems);
        continue;
      }
      const { id } = reading.persona;
      const taken = inFolder.get(id);
      if (taken) problems.push(`${file}: id: ${id} is already the companion of ${taken}`);
      else byId.set(id, reading.persona);
      inFolder.set(id, taken ?? file);
    }
  }
  return { personas: [...byId.values()].sort((one, other) => one.id.localeCompare(other.id)), problems };
}

/** Changes when a persona file comes, goes or is written. */
export async function stampOf(folders: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  for (const folder of folders) {
    for (const file of await personaFilesOf(folder, [])) {
      const stats = await stat(join(folder, file)).catch(() => null);
      stamps.push(`${folder}/${file} ${stats?.mtimeMs} ${stats?.size}`);
    }
  }
  return stamps.join('\n');
}

async function personaFilesOf(folder: string, problems: string[]): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  } catch (error) {
    problems.push(unreadable(folder, error));
    return [];
  }
}

function unreadable(path: string, error: unknown): string {
  return `${path}: can't be read: ${error instanceof Error ? error.message : String(error)}`;
}
