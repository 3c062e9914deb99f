const OPEN = '<think>';
const CLOSE = '</think>';
/** Characters of thought that are kept: several times what a model thinks about one message of a chat. */
const MAX_THOUGHT = 20_000;

/** Text that may be shown now. */
interface ShownText {
  text: string;
  /** True where all that was shown before was thoughts. */
  isAnew: boolean;
}

/**
 * Keeps a reasoning model's inner thoughts out of its answer: some hosts put them in front of it, between
 * `<think>` and `</think>`. Only there: further on the same words are part of what is said. Thoughts that are
 * never closed leave no answer. They are kept apart, as are those that a host sends as such.
 *
 * Where the prompt's own template opened the thoughts, only their end comes, after they were shown. It is the first
 * `</think>` of all, with words behind it: one in code or within a sentence is spoken of, as is one after `<think>`.
 */
export class ThoughtFilter {
  private state: 'start' | 'thinking' | 'done-thinking' | 'maybe-thinking' | 'speaking' = 'start';
  private held = '';
  private thoughts = '';
  /** Text that was shown and may prove to be thoughts. */
  private shown = '';

  /** Thoughts so far. */
  get thought(): string {
    return this.thoughts.trim();
  }

  /** Takes a piece of thought that its host sends apart from the answer. */
  think(text: string): void {
    if (this.thoughts.length < MAX_THOUGHT) this.thoughts = (this.thoughts + text).slice(0, MAX_THOUGHT);
  }

  /** Takes a piece of what comes, and returns what of it, or of earlier ones, may be shown now. */
  push(text: string): ShownText {
    if (this.state === 'speaking') return { text, isAnew: false };
    this.held += text;
    if (this.state === 'done-thinking') return this.speakOnceItBegins();
    if (this.state === 'start') {
      // Some models write blanks without end: to hold them, and to look at all of them at each piece, takes minutes.
      this.held = this.held.trimStart();
      if (this.held.length < OPEN.length && OPEN.startsWith(this.held)) return NOTHING;
      const isOpened = this.held.startsWith(OPEN);
      this.state = isOpened ? 'thinking' : 'maybe-thinking';
      if (isOpened) this.held = this.held.slice(OPEN.length);
    }
    if (this.state === 'maybe-thinking') return this.lookForEnd();
    const close = this.held.indexOf(CLOSE);
    if (close < 0) {
      // Only an end that may be cut in two is held: to search a long thought anew at each piece takes minutes.
      const end = Math.max(0, this.held.length - CLOSE.length + 1);
      this.think(this.held.slice(0, end));
      this.held = this.held.slice(end);
      return NOTHING;
    }
    this.state = 'done-thinking';
    this.think(this.held.slice(0, close));
    this.held = this.held.slice(close + CLOSE.length);
    return this.speakOnceItBegins();
  }

  /**
   * Ends the text: returns what was held back and was no thought after all. What stood before an end of thoughts with no
   * words behind it was said, unless calls of tools follow.
   */
  end(hasCalls: boolean): ShownText {
    const isText = this.state === 'start' || (this.state === 'maybe-thinking' && this.held !== CLOSE);
    if (isText) return { text: this.speak(this.held), isAnew: false };
    const isAnew = hasCalls && this.state !== 'speaking' && this.shown !== '';
    if (isAnew) this.think(this.shown);
    return { text: '', isAnew };
  }

  /** Shows text as it comes, up to an end of thoughts, which is known by the text before and after it. */
  private lookForEnd(): ShownText {
    const at = this.held.indexOf(CLOSE);
    if (at < 0) {
      const mark = this.held.lastIndexOf('<');
      const mayBegin = mark >= 0 && CLOSE.startsWith(this.held.slice(mark));
      return this.show(mayBegin ? mark : this.held.length);
    }
    const behind = this.held.slice(at + CLOSE.length);
    if (behind === '') return this.show(at);
    if (isSpokenOf(this.shown + this.held.slice(0, at), behind))
      return { text: this.speak(this.held), isAnew: false };
    const before = this.show(at);
    this.state = 'done-thinking';
    this.held = behind;
    const begun = this.speakOnceItBegins();
    return begun.text ? begun : before;
  }

  /** Shows so many characters of what is held, which may prove to be thoughts. */
  private show(length: number): ShownText {
    const text = this.held.slice(0, length);
    this.shown += text;
    this.held = this.held.slice(length);
    return { text, isAnew: false };
  }

  /** The lines between thoughts and answer belong to neither. */
  private speakOnceItBegins(): ShownText {
    this.held = this.held.trimStart();
    if (!this.held) return NOTHING;
    this.think(this.shown);
    return { text: this.speak(this.held), isAnew: this.shown !== '' };
  }

  private speak(text: string): string {
    this.state = 'speaking';
    this.held = '';
    return text;
  }
}

const NOTHING: ShownText = { text: '', isAnew: false };

/** Tells whether an end of thoughts is only spoken of: in code, after a beginning, or within a sentence. */
function isSpokenOf(before: string, behind: string): boolean {
  const isInSentence = /[ \t“‘«([]$/.test(before) && /^[ \t.,;:!?"'”’»)\]]/.test(behind);
  // A straight quote before it may close what was quoted: it opens only where the same one stands behind.
  const isQuoted = /["']$/.test(before) && behind.startsWith(before.slice(-1));
  return isInSentence || isQuoted || isInCode(before) || before.includes(OPEN);
}

/** Tells whether text ends within code: on its last line or in a block. A single odd backtick elsewhere opens nothing. */
function isInCode(text: string): boolean {
  const fences = text.match(/^[ \t]*`{3,}[^`\n]*$/gm) ?? [];
  const line = text.slice(text.lastIndexOf('\n') + 1).replace(/`{3,}/g, '');
  return fences.length % 2 === 1 || line.split('`').length % 2 === 0;
}
