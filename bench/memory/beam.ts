import { z } from 'zod';
import type { Conversation } from '../locomo.ts';

const Text = z.union([z.string(), z.number()]).transform(String);
const BeamFile = z.array(
  z.object({
    id: z.string(),
    messages: z.array(
      z.object({ id: z.number(), session: z.number(), role: z.string(), day: z.string(), text: z.string() }),
    ),
    questions: z.array(
      z.object({
        type: z.string(),
        question: z.string(),
        answer: Text.nullish(),
        evidence: z.array(z.number()).default([]),
      }),
    ),
  }),
);

export type BeamConversation = z.output<typeof BeamFile>[number];

/** Reads a file of BEAM: a person with an assistant. Null for a file that is something else. */
export function readBeam(parsed: unknown): BeamConversation[] | null {
  const file = BeamFile.safeParse(parsed);
  return file.success ? file.data : null;
}

/** Makes a conversation of it, with the messages of these roles only; what is asked of others has no evidence then. */
export function toConversation(
  { id, messages, questions }: BeamConversation,
  roles: readonly string[],
): Conversation {
  const said = messages.filter(({ role }) => roles.includes(role));
  const kept = new Set(said.map((message) => message.id));
  return {
    id,
    sessions: new Set(messages.map(({ session }) => session)).size,
    turns: said.map((message) => ({
      id: String(message.id),
      speaker: message.role,
      said: message.text,
      text: `${message.role}: ${message.text}`,
      // A session has a day; its messages are a minute apart.
      at: new Date(Date.parse(`${message.day}T08:00:00Z`) + message.id * 60_000).toISOString(),
    })),
    questions: questions
      .filter(({ type, evidence }) => type === ABSTENTION || evidence.some((each) => kept.has(each)))
      .map(({ type, question, answer, evidence }) => ({
        question,
        answer: answer ?? null,
        evidence: type === ABSTENTION ? [] : evidence.filter((each) => kept.has(each)).map(String),
        category: type,
      })),
  };
}

const ABSTENTION = 'abstention';
