import { shownText } from './appraisal-prompt.js';

/** The instructions are sent once, so a few turns cost little more than one; a small model loses count of many. */
const MAX_TURNS_A_CALL = 10;
/** Words of all turns of a call: about 2,500 tokens, which leaves the smallest context room for the rest. */
const MAX_CHARACTERS_A_CALL = 10_000;

/** Words of somebody who speaks to the model that reads, and not to the companion. */
const TO_THE_READER =
  /desirab|praiseworth|appealing|likelihood|causedby|prospect|json|\bevents?\b|\bturns?\b|instruct|apprais|\bprompt|\bignore\b|\bsystem\b/iu;

/**
 * Plans which turns go into which call, by their places. The words of one person must not colour how another is
 * read, so a turn that may be talking to the model is read alone.
 */
export function planCalls(turns: readonly (readonly string[])[]): number[][] {
  const calls: number[][] = [];
  let open: number[] = [];
  let characters = 0;
  turns.forEach((texts, place) => {
    const text = shownText(texts);
    if (TO_THE_READER.test(text)) {
      calls.push([place]);
      return;
    }
    if (
      open.length === MAX_TURNS_A_CALL ||
      (open.length > 0 && characters + text.length > MAX_CHARACTERS_A_CALL)
    ) {
      calls.push(open);
      open = [];
      characters = 0;
    }
    open.push(place);
    characters += text.length;
  });
  return open.length > 0 ? [...calls, open] : calls;
}
