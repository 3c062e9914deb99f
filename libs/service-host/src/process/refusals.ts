/** Time for the other services of a process to refuse their settings, too: a start on a slow machine takes that long. */
const OTHERS_MS = 30_000;

/** Services of this process that can't start with their settings. */
export class Refusals {
  private readonly told: string[] = [];

  get isAny(): boolean {
    return this.told.length > 0;
  }

  /** Notes what is wrong, a setting in each line. The process ends soon, even if another service does not get done with its start. */
  add(service: string, problems: string): void {
    if (!this.isAny) setTimeout(() => this.end(), OTHERS_MS);
    this.told.push(`${service} can't start, its settings are wrong:\n${problems}`);
  }

  /** Says all refusals and ends the process, where there is one. */
  end(): void {
    if (!this.isAny) return;
    console.error(this.told.join('\n'));
    process.exit(1);
  }
}
