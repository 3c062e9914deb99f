// Adds a line to the prompt of every turn, and says on the console what each call of a model cost.
export default {
  name: 'add-a-line',
  order: 20,
  onFailure: 'open',
  compose({ kind }) {
    if (kind === 'channel') return { lines: ['In this community people are on first-name terms.'] };
    return { lines: ['Ask at most one question in a reply.'] };
  },
  afterInvoke(_messages, { model, usage, cost }) {
    console.error(
      `${model}: ${usage.promptTokens} in, ${usage.completionTokens} out, ${cost ?? 'unknown'} dollars`,
    );
  },
};
