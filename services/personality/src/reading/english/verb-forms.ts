/** Builds a verb's forms; the past is regular unless given. A last letter that may be doubled stands both ways. */
export function verbForms(base: string, past: readonly string[]): Set<string> {
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/u.test(base) ? [base + base.slice(-1)] : [];
  const withI = /[^aeiou]y$/u.test(base) ? `${base.slice(0, -1)}i` : null;
  const third = withI ? `${withI}es` : /(?:s|sh|ch|x|z)$/u.test(base) ? `${base}es` : `${base}s`;
  const short = base.endsWith('ie') ? `${base.slice(0, -2)}y` : base.replace(/(?<!e)e$/u, '');
  const progressive = [short, ...doubled].map((stem) => `${stem}ing`);
  const regular = [withI ?? base.replace(/e$/u, ''), ...doubled].map((stem) => `${stem}ed`);
  return new Set([base, third, ...progressive, ...(past.length > 0 ? past : regular)]);
}
