/** Beginnings of riddles: the reader has to guess what the thing is. */
const RIDDLE =
  /^\*[\s*]*(?:What|Who|Whose|Whom|Whether|How|Which|Where|Why|Those|The same|Does (?:what|something)|Of|It|There|They|That|As (?:many|much)|So (?:many|much|far|long))\b/;
/** A question, which leaves the answer to the reader. Words in quotation marks may ask. */
const QUESTION = /^\*[^.:;?"“]*\?(?:\s|$)/;

/** Reports doc comments that begin with a riddle or a question. */
export const plainComments = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (comment.type === 'Block' && (RIDDLE.test(comment.value) || QUESTION.test(comment.value))) {
          const message = 'Say what it is: begin with a noun or a verb.';
          context.report({ loc: comment.loc, message });
        }
      }
    },
  }),
};
