import { explainIssue } from '@kith/contracts';
import { z } from 'zod';
import { Persona } from './persona.js';

/** A persona, or everything that is wrong with its file, a line for each field. */
type PersonaReading = { ok: true; persona: Persona } | { ok: false; problems: string[] };

/** Reads a persona file's text. `file` is the name that problems are reported under. */
export function readPersona(file: string, text: string): PersonaReading {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [`${file}: not JSON: ${(error as Error).message}`] };
  }
  const parsed = Persona.safeParse(json);
  if (parsed.success) return { ok: true, persona: parsed.data };
  const problems = problemsWith(parsed.error).map(({ field, message }) => `${file}: ${field}: ${message}`);
  return { ok: false, problems };
}

/** Lists the problems of each field. */
export function problemsWith(error: z.ZodError): { field: string; message: string }[] {
  return error.issues.map((issue) => ({
    field: issue.path.map(String).join('.') || 'whole file',
    message: explainIssue(issue),
  }));
}
