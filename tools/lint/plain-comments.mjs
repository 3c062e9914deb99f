/** Beginnings of riddles: the reader has to guess what the thing is. */
const RIDDLE = /^\*\s*\**\s*(What|Who|Whose|Whom|Whether|How|Which|Where|Why)\b/;

/** Reports doc comments that begin with a question word. */
export const plainComments = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (comment.type === 'Block' && RIDDLE.test(comment.value)) {
          const message = 'Say what it is: begin with a noun or a verb, not with a question word.';
          context.report({ loc: comment.loc, message });
        }
      }
    },
  }),
};
