/** Settings, or files that they name, which can not be used: one line for each. */
export class UnusableSettings extends Error {
  /** Name by which the start of a process knows what an operator has to mend. */
  override readonly name = 'SettingsError';
}
