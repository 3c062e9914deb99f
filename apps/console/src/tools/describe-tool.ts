import { describeRulePlace, type ToolRuleView, type ToolView } from '@kith/contracts';

const PERMISSIONS: Readonly<Record<ToolView['permission'], string>> = {
  allowed: 'allowed',
  denied: 'denied',
  'not-allowed': 'not allowed yet',
  changed: 'changed since it was allowed',
};

/** Words for what a tool reads and changes, and whether it may be used. */
export function describeTool({ kind, reads, changes, permission, isGranted }: ToolView): string {
  return [
    PERMISSIONS[permission],
    kind,
    reads.length > 0 ? `reads ${reads.join(' and ')}` : null,
    changes === 'nothing'
      ? 'changes nothing'
      : `changes ${changes === 'memory' ? 'memory' : 'things outside'}`,
    isGranted ? 'you are not asked' : changes === 'outside' ? 'asks you first' : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Words a rule. */
export function describeRule({ tool, allow, isCurrent, ...place }: ToolRuleView): string {
  const form = isCurrent || !allow ? '' : ' (it has changed since: allow it anew)';
  return `${tool} is ${allow ? 'allowed' : 'denied'} ${describeRulePlace(place)}${form}`;
}
