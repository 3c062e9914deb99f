import { type ChatEvent, counted, describeEnding, moodInWords, type TurnView } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { Terminal } from '../terminal/terminal.js';

/** Error for a reply that is late; it will still come. */
export class ReplyLate extends CliError {}

/**
 * Prints one reply as it comes. A terminal shows it word by word; a pipe gets it whole, since words may be taken back
 * when the reply starts again.
 */
export class ReplyPrinter {
  private streamed = '';

  constructor(
    private readonly terminal: Terminal,
    private readonly name: string,
  ) {}

  /** Shows an event; returns the turn when it ended. @throws ReplyLate when it is late, CliError when it failed */
  show(event: ChatEvent): TurnView | null {
    switch (event.type) {
      case 'accepted':
      case 'turn':
        this.terminal.startWaiting(`${this.name} is thinking`);
        return null;
      case 'token':
        if (this.terminal.isInteractive) this.stream(event.text);
        return null;
      case 'restart':
        this.takeBack('what was written does not count; it begins anew');
        return null;
      case 'done':
        this.finish(event.turn);
        return event.turn;
      case 'error':
        this.stop();
        throw event.problem.code === 'unavailable'
          ? new ReplyLate('the reply is late; the message is safe, and its reply will be in the conversation')
          : new CliError(event.problem.detail);
    }
  }

  /** Leaves the terminal tidy when no more is to come. */
  stop(): void {
    this.terminal.stopWaiting();
    if (this.streamed) this.terminal.line();
    this.streamed = '';
  }

  private stream(text: string): void {
    this.terminal.stopWaiting();
    if (!this.streamed) this.terminal.write(this.terminal.bold(`${this.name}: `));
    this.streamed += text;
    this.terminal.write(text);
  }

  private takeBack(why: string): void {
    if (!this.streamed) return;
    this.stop();
    this.terminal.note(`(${why})`);
  }

  private finish(turn: TurnView): void {
    if (turn.reply !== null && turn.reply.trim() !== this.streamed.trim()) {
      this.takeBack('what was streamed does not count');
      this.terminal.stopWaiting();
      const name = this.terminal.isInteractive ? this.terminal.bold(`${this.name}: `) : '';
      this.terminal.line(name + turn.reply);
    } else {
      this.stop();
    }
    this.streamed = '';
    const ending = describeEnding(turn, this.name);
    if (ending !== null) this.terminal.note(`(${ending})`);
    this.terminal.note(replyMarks(turn));
  }
}

/** Marks below a reply: who answered, how well, and from what. */
function replyMarks(turn: TurnView): string {
  const memories = turn.recalled.length;
  return [
    turn.rehearsal ? 'rehearsal: the offline stand-in, no model answered' : turn.model,
    turn.degraded.length > 0 ? `degraded: without ${turn.degraded.join(', ')}` : null,
    turn.mood ? moodInWords(turn.mood) : null,
    memories > 0 ? `${counted(memories, 'memory', 'memories')} recalled` : null,
    `${(turn.tookMs / 1_000).toFixed(1)} s`,
  ]
    .filter((mark) => mark !== null)
    .join(' · ');
}
