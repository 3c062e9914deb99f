import { CompanionId, explainIssue, firstOf, PersonId } from '@kith/contracts';
import { z } from 'zod';
import { CliError } from '../input/cli-error.js';

/** A question with what should be found for it: words of the memory, or its id, in full or shortened to its end. */
export const MeasuredQuestion = z
  .strictObject({
    question: z.string().trim().min(1).max(2_000),
    words: z.array(z.string().trim().min(1).max(500)).min(1).max(50).optional(),
    ids: z.array(z.string().trim().min(4).max(36)).min(1).max(50).optional(),
    /** Owner of the memories; oneself otherwise. */
    person: PersonId.optional(),
    companion: CompanionId.optional(),
  })
  .refine(({ words, ids }) => words ?? ids, 'give words or ids that should be found');
export type MeasuredQuestion = z.output<typeof MeasuredQuestion> & { line: number };

/** Bounds of a file of questions: some thousand answers take minutes already. */
export const MAX_CHARACTERS = 8_000_000;
const MAX_QUESTIONS = 10_000;

/**
 * Reads questions from lines of JSON, or from one array.
 * @throws CliError naming the line that is wrong
 */
export function readQuestions(text: string): MeasuredQuestion[] {
  if (text.length > MAX_CHARACTERS) throw new CliError('the file is too long: 8 MB at most', 2);
  const pieces = text.trimStart().startsWith('[') ? splitArray(text) : splitLines(text);
  if (pieces.length === 0) throw new CliError('the file has no questions', 2);
  if (pieces.length > MAX_QUESTIONS)
    throw new CliError(`the file has ${pieces.length} questions: ${MAX_QUESTIONS} at most`, 2);
  return pieces.map(({ json, line }) => ({ ...readQuestion(json, line), line }));
}

function readQuestion(json: string, line: number): z.output<typeof MeasuredQuestion> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CliError(`line ${line}: is not JSON`, 2);
  }
  const parsed = MeasuredQuestion.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = firstOf(parsed.error.issues);
  const field = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw new CliError(`line ${line}: ${field}${explainIssue(issue)}`, 2);
}

interface Piece {
  json: string;
  line: number;
}

function splitLines(text: string): Piece[] {
  return text
    .split('\n')
    .map((json, at) => ({ json, line: at + 1 }))
    .filter(({ json }) => json.trim() !== '');
}

/** Levels that a bracket leads down, or up again. */
const LEVELS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Cuts an array at the commas between its elements, each with the line it begins on. Linear. */
function splitArray(text: string): Piece[] {
  const pieces: Piece[] = [];
  let [depth, line, begin, beginLine, isInString] = [0, 1, -1, 1, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\n') line += 1;
    if (isInString) {
      if (character === '\\') at += 1;
      else isInString = character !== '"';
      continue;
    }
    if (character.trim() === '') continue;
    if (depth === 0 && pieces.length > 0)
      throw new CliError(`line ${line}: something stands behind the array`, 2);
    if (depth === 1 && begin < 0 && !',]'.includes(character)) [begin, beginLine] = [at, line];
    if (depth === 1 && begin >= 0 && ',]}'.includes(character)) {
      pieces.push({ json: text.slice(begin, at), line: beginLine });
      begin = -1;
    }
    isInString = character === '"';
    depth += LEVELS[character] ?? 0;
  }
  if (depth > 0) throw new CliError(`line ${line}: the array does not end`, 2);
  return pieces;
}
