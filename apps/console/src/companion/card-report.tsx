import type { Draft } from './use-roster.js';

const GROUPS = [
  ['understood', 'Understood'],
  ['assumed', 'Chosen, since the file does not say'],
  ['kept', 'Kept for an export, in no prompt'],
  ['dropped', 'Left out'],
] as const;

/** Lists what became of each field of a dropped file. */
export function CardReport({ report }: Pick<Draft['found'], 'report'>) {
  return GROUPS.map(
    ([group, title]) =>
      report[group].length > 0 && (
        <details key={group} open={group === 'dropped'}>
          <summary>
            {title} ({report[group].length})
          </summary>
          <ul>
            {report[group].map(({ field, note }, at) => (
              <li key={at}>
                <code>{field}</code> {note}
              </li>
            ))}
          </ul>
        </details>
      ),
  );
}
