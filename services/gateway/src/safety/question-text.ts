/** Beginning and end of the line that asks for a tool, around its name. */
const [ASKS, END] = ['🔧 May I use “', '”?'];

/** Text in the place of questions that were withdrawn. */
const TAKEN_BACK = '🔧 I was going to ask for a tool. I take that back: what I would use it for has changed.';

/** Words the line that asks a person for a tool. */
export function askForTool(tool: string): string {
  return ASKS + tool + END;
}

/**
 * Leaves out of a reply the questions at its end that were withdrawn since, and says so: nobody could answer them.
 * @param asked tools that the reply's turn has questions about still, answered or not
 */
export function withoutWithdrawn(reply: string, asked: readonly string[]): string {
  const paragraphs = reply.split('\n\n');
  const from = paragraphs.findLastIndex((paragraph) => !paragraph.startsWith(ASKS)) + 1;
  const questions = paragraphs.slice(from);
  const left = questions.filter((question) =>
    asked.some((tool) => question.split('\n', 1)[0] === askForTool(tool)),
  );
  if (left.length === questions.length) return reply;
  return [...paragraphs.slice(0, from), ...left, TAKEN_BACK].join('\n\n');
}
