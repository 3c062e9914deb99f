/** Settings, or files that they name, which can not be used: one line for each. */
export class UnusableSettings extends Error {
  /** Name by which the start of a process knows an error that an operator has to fix. */
  override readonly name = 'SettingsError';
}
