/**
 * The card brings its own background, so it reads the same on a light and on a dark screen. Every colour of a
 * line or a word has a contrast of 4.5 to 1 or more with it, but for the grid, which is only there to be felt.
 */
export const COLOURS = {
  card: '#1d1f2b',
  edge: '#3a3e52',
  grid: '#454a61',
  text: '#f2f0ea',
  muted: '#b9bccb',
  faint: '#9094a8',
  /** Pleasure, arousal, dominance: told apart by people who see few colours, too. */
  p: '#ffb454',
  a: '#f2799a',
  d: '#6cb6ff',
  bond: '#8fd6a8',
} as const;
