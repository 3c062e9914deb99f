import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

const Line = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const File = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(
      z.object({
        question: z.string(),
        evidence: z.array(z.string()).default([]),
        category: z.number().int(),
        /** A year stands as a number. Adversarial questions have none. */
        answer: z.union([z.string(), z.number()]).optional(),
      }),
    ),
  }),
);

export interface Conversation {
  id: string;
  sessions: number;
  /** In order, each with its own date. */
  turns: {
    id: string;
    speaker: string;
    /** Words alone. */
    said: string;
    /** Words with the speaker's name before them. */
    text: string;
    at: string;
  }[];
  questions: { question: string; answer: string | null; evidence: string[]; category: string }[];
}

/**
 * Reads a conversation of a LoCoMo file: the one named, or the first with 19 sessions, or the first.
 * @throws Error that says what to do, for a path that is missing or a file that is something else
 */
export async function readLocomo(path: string | undefined, id: string | undefined): Promise<Conversation> {
  const all = await readAllLocomo(path, 'npm run demo:locomo -- FILE [--conversation ID]');
  const chosen = id ? all.find((one) => one.id === id) : (all.find((one) => one.sessions === 19) ?? all[0]);
  if (!chosen)
    throw new Error(`${path} has no conversation ${id ?? ''}; it has ${all.map((one) => one.id).join(', ')}`);
  return chosen;
}

/** Reads every conversation of a LoCoMo file; throws as `readLocomo` does. */
export async function readAllLocomo(path: string | undefined, usage: string): Promise<Conversation[]> {
  if (!path) throw new Error(`usage: ${usage}, FILE a LoCoMo conversation file`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} can't be read: give the path of a LoCoMo file, such as locomo-5.json`);
  });
  return parseLocomo(parseJson(text), path);
}

/** Makes conversations of what a LoCoMo file holds. */
export function parseLocomo(content: unknown, path: string): Conversation[] {
  const parsed = File.safeParse(content);
  if (!parsed.success) throw new Error(`${path} is not a LoCoMo file`);
  return parsed.data.map(toConversation);
}

function toConversation(sample: z.output<typeof File>[number]): Conversation {
  const turns: Conversation['turns'] = [];
  let sessions = 0;
  for (let number = 1; `session_${number}` in sample.conversation; number += 1) {
    const lines = z.array(Line).parse(sample.conversation[`session_${number}`]);
    const begin = parseDate(z.string().parse(sample.conversation[`session_${number}_date_time`]));
    sessions += 1;
    for (const [index, line] of lines.entries()) {
      const picture = line.blip_caption ? ` [shares ${line.blip_caption}]` : '';
      turns.push({
        id: line.dia_id,
        speaker: line.speaker,
        said: `${line.text}${picture}`,
        text: `${line.speaker}: ${line.text}${picture}`,
        at: new Date(begin.getTime() + index * 60_000).toISOString(),
      });
    }
  }
  return {
    id: sample.sample_id,
    sessions,
    turns,
    questions: sample.qa.map(({ question, answer, evidence, category }) => ({
      question,
      answer: answer === undefined ? null : String(answer),
      // Some entries name several turns in one string.
      evidence: evidence.flatMap((ids) => ids.split(/[;,\s]+/).filter(Boolean)),
      category: CATEGORIES[category] ?? `category ${category}`,
    })),
  };
}

/** `1:56 pm on 8 May, 2023`, taken as UTC. */
function parseDate(text: string): Date {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text) ?? [];
  const date = new Date(`${day} ${month} ${year} 00:00 UTC`);
  if (Number.isNaN(date.getTime())) throw new Error(`a session's date reads "${text}"`);
  return new Date(
    date.getTime() + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
