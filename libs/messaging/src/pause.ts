/** A wait that can be ended early, for one who waits at a time. */
export class Pause {
  private endWait: () => void = () => undefined;

  /** Waits for a time, or until `end` is called. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the wait that began last, if it is not over. */
  end(): void {
    this.endWait();
  }
}
