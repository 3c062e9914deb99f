const OPEN = '<think>';
const CLOSE = '</think>';
/** Characters of thought that are kept: several times what a model thinks about one message of a chat. */
const MAX_THOUGHT = 20_000;

/**
 * Keeps a reasoning model's inner thoughts out of its answer: some hosts put them in front of it, between
 * `<think>` and `</think>`. Only there: further on the same words are part of what is said. Thoughts that are
 * never closed leave no answer. They are kept apart, as are those that a host sends as such.
 */
export class ThoughtFilter {
  private state: 'start' | 'thinking' | 'done-thinking' | 'speaking' = 'start';
  private held = '';
  private thoughts = '';

  /** Thoughts so far. */
  get thought(): string {
    return this.thoughts.trim();
  }

  /** Takes a piece of thought that its host tells apart from the answer. */
  think(text: string): void {
    if (this.thoughts.length < MAX_THOUGHT) this.thoughts = (this.thoughts + text).slice(0, MAX_THOUGHT);
  }

  /** Text so far that may be shown now. */
  push(text: string): string {
    if (this.state === 'speaking') return text;
    this.held += text;
    if (this.state === 'done-thinking') return this.speakOnceItBegins();
    if (this.state === 'start') {
      const begun = this.held.trimStart();
      if (begun.length < OPEN.length && OPEN.startsWith(begun)) return '';
      if (!begun.startsWith(OPEN)) return this.speak(this.held);
      this.state = 'thinking';
      this.held = begun.slice(OPEN.length);
    }
    const close = this.held.indexOf(CLOSE);
    if (close < 0) {
      // Only an end that may be cut in two is held: to search a long thought anew at each piece takes minutes.
      const end = Math.max(0, this.held.length - CLOSE.length + 1);
      this.think(this.held.slice(0, end));
      this.held = this.held.slice(end);
      return '';
    }
    this.state = 'done-thinking';
    this.think(this.held.slice(0, close));
    this.held = this.held.slice(close + CLOSE.length);
    return this.speakOnceItBegins();
  }

  /** Text that was held back and was no thought after all. */
  end(): string {
    return this.state === 'start' ? this.speak(this.held) : '';
  }

  /** The lines between thoughts and answer belong to neither. */
  private speakOnceItBegins(): string {
    this.held = this.held.trimStart();
    return this.held ? this.speak(this.held) : '';
  }

  private speak(text: string): string {
    this.state = 'speaking';
    this.held = '';
    return text;
  }
}
