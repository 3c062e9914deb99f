const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Keeps a reasoning model's inner thoughts out of its answer: some hosts put them in front of it, between
 * `<think>` and `</think>`. Only there: further on the same words are part of what is said. Thoughts that are
 * never closed leave no answer.
 */
export class ThoughtFilter {
  private state: 'start' | 'thinking' | 'done-thinking' | 'speaking' = 'start';
  private held = '';

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
    }
    const close = this.held.indexOf(CLOSE);
    if (close < 0) return '';
    this.state = 'done-thinking';
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
