// Refuses messages that hold a word, before anything is made of them: no model, no memory and no later prompt has them.
const WORD = /\bpassword\b/i;

export default {
  name: 'refuse-a-word',
  order: 10,
  onFailure: 'closed',
  receive({ texts }) {
    if (texts.some((text) => WORD.test(text)))
      return { refuse: 'a secret in a message', say: 'Please keep that to yourself; I have not read it.' };
  },
};
