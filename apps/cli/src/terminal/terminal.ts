import type { Readable, Writable } from 'node:stream';
import { visibleJson } from '@kith/contracts';
import { fitText, paint, printableLine, printablePainted } from './display-text.js';
import { tableLines, type Column } from './table-lines.js';

/** A stream that may be a terminal. */
export type TerminalStream = Writable & { isTTY?: boolean; columns?: number };

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Ten frames go round in about a second. */
const FRAME_MS = 90;
/** Characters of a progress bar. */
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u001b[K';

/** Code of ANSI for faint text. */
const DIM = 2;

/**
 * Output of a command, without anything that could steer the terminal. Results go to the output; marks, progress and
 * hints go to the error stream, so that a pipe gets results alone.
 */
export class Terminal {
  private readonly color: boolean;
  private readonly colorsNotes: boolean;
  /** True where a line can be drawn again, as what moves is. */
  private readonly redraws: boolean;
  private spinner: NodeJS.Timeout | undefined;
  private isShowingProgress = false;
  private isFinishing = false;
  readonly dim = (text: string) => this.paint(DIM, text);
  readonly bold = (text: string) => this.paint(1, text);
  readonly green = (text: string) => this.paint(32, text);
  readonly red = (text: string) => this.paint(31, text);
  /** Output error despite which the last batch went on; a reader that left is none. */
  unwritten: Error | undefined;

  constructor(
    readonly input: Readable & { isTTY?: boolean },
    readonly output: TerminalStream,
    readonly notes: TerminalStream,
    noColor: boolean,
    isDumb = false,
  ) {
    this.redraws = Boolean(notes.isTTY) && !isDumb;
    this.color = !noColor && Boolean(output.isTTY);
    this.colorsNotes = !noColor && Boolean(notes.isTTY);
  }

  /** True where the command goes on though the reader of its output left. */
  get finishesUnread(): boolean {
    return this.isFinishing;
  }

  /** Runs work that changes things to its end, even if the output fails or its reader leaves. */
  async finishUnread(work: () => Promise<void>): Promise<void> {
    this.isFinishing = true;
    this.unwritten = undefined;
    try {
      await work();
      // An error of the last output comes after it.
      await new Promise(setImmediate);
    } finally {
      this.isFinishing = false;
    }
  }

  /** True while a person types. */
  get isInteractive(): boolean {
    return Boolean(this.input.isTTY && this.output.isTTY);
  }

  get columns(): number {
    // A pipe has no width: there, cut nothing that a line of text would hold.
    return this.output.columns ?? 200;
  }

  write(text: string): void {
    this.output.write(printablePainted(text));
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  note(text: string): void {
    const clear = this.spinner || this.isShowingProgress ? CLEAR_LINE : '';
    this.notes.write(`${clear}${this.dimNote(text)}\n`);
  }

  /** Says what went wrong. */
  problem(text: string): void {
    this.notes.write(printablePainted(text));
  }

  json(value: unknown): void {
    this.line(visibleJson(value, 2));
  }

  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const [header = '', ...lines] = tableLines(rows, columns, this.columns);
    this.line(this.dim(header));
    for (const line of lines) this.line(line);
  }

  /** Shows that something is under way, on a terminal only, until `stopWaiting`. */
  startWaiting(text: string): void {
    if (!this.redraws || this.spinner) return;
    let frame = 0;
    const draw = () => {
      this.notes.write(CLEAR_LINE + this.dimNote(`${FRAMES[frame % FRAMES.length]} ${text}`));
      frame += 1;
    };
    draw();
    this.spinner = setInterval(draw, FRAME_MS);
  }

  stopWaiting(): void {
    if (!this.spinner && !this.isShowingProgress) return;
    clearInterval(this.spinner);
    this.spinner = undefined;
    this.isShowingProgress = false;
    this.notes.write(CLEAR_LINE);
  }

  /** Shows how far something is, from 0 to 1, on a terminal only, until `stopWaiting`. */
  showProgress(share: number, text: string): void {
    if (!this.redraws) return;
    const done = Math.round(BAR_WIDTH * Math.min(1, share));
    const bar = '█'.repeat(done) + '░'.repeat(BAR_WIDTH - done);
    this.isShowingProgress = true;
    // A text that wraps would leave a line behind each time. The last column stays free: some terminals wrap there.
    const line = fitText(printableLine(`${bar} ${text}`), (this.notes.columns ?? this.columns) - 1);
    this.notes.write(CLEAR_LINE + this.dimNote(line));
  }

  /** Dims a note as its own stream shows it: the output's may be a file, and the notes' a terminal, or the other way round. */
  private dimNote(text: string): string {
    return printablePainted(this.colorsNotes ? paint(DIM, text) : text);
  }

  private paint(code: number, text: string): string {
    return this.color ? paint(code, text) : text;
  }
}
