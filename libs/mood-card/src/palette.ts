/**
 * The card has a background of its own, so it reads the same on light and dark screens. Lines and words have a
 * contrast of at least 4.5 to 1 with it; the grid, which is only a help for the eye, has less.
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
