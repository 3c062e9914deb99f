/** Replies to each note that a door writes in the place of words, by how the note begins. */
const ANSWERS: readonly (readonly [beginning: string, answer: string])[] = [
  ['[called you', "Yes? I'm here. What is on your mind?"],
  [
    '[replied to you without',
    'I saw that you replied, but your words did not reach me. Please reply with the mention on.',
  ],
  ['[sent a picture', "I can't see pictures yet. Tell me what is on it?"],
  ['[sent a video', "I can't watch videos yet. Tell me what happens in it?"],
  ['[sent a voice message', "I can't hear voice messages yet. Could you write it to me?"],
  ['[sent a sound', "I can't hear sounds yet. Tell me what it is?"],
  ['[sent a file', "I can't open files here yet. Tell me what is in it?"],
  ['[sent a sticker', "A sticker! I can't see it yet, only what it is called."],
  ['[sent a poll', "I can't vote in polls yet, but I can see what it asks."],
  ['[sent a forwarded message', 'I see that you forwarded something. What about it?'],
  ['[sent a forum post', 'I see your post. What would you like to say about it?'],
];

/** Picks the reply to a message without words of its own, such as a picture; null where there are words. */
export function answerWithoutWords(said: string): string | null {
  const [first] = notesAlone(said);
  if (first === undefined) return null;
  return ANSWERS.find(([beginning]) => first.startsWith(beginning))?.[1] ?? null;
}

/** Reads the notes of a message that is nothing but notes, each on a line in brackets; of any other, none. */
function notesAlone(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const isNote = (line: string) =>
    line.startsWith('[') && line.endsWith(']') && !line.slice(1, -1).includes('[');
  return lines.every(isNote) ? lines : [];
}
