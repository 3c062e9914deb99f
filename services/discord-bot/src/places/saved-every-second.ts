/** Often enough that little is heard twice after a process was killed; repeats are known by their ids. */
const SAVE_EVERY_MS = 1_000;

/** Saves what has changed once a second, one save after the other. */
export abstract class SavedEverySecond {
  private saving: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  start(): void {
    this.timer = setInterval(() => void this.save(), SAVE_EVERY_MS);
  }

  /** Saves what is left. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.save();
  }

  /** Runs work after the save under way, and before the next. */
  protected betweenSaves(work: () => Promise<void>): Promise<void> {
    const done = this.saving.then(work);
    this.saving = done.catch(() => undefined);
    return done;
  }

  /** Never throws: what could not be saved is saved with the next. */
  save(): Promise<void> {
    this.saving = this.saving.then(() => this.saveNow());
    return this.saving;
  }

  /** Saves; never throws. */
  protected abstract saveNow(): Promise<void>;
}
