import { describeLeftOut, type ToolRuleView, type ToolView } from '@kith/contracts';
import { LinkButton } from '../page/button.js';
import type { CompanionPageProps } from '../page/companion-page.js';
import { Problem } from '../page/problem.js';
import { describeRule, describeTool } from './describe-tool.js';
import { useTools } from './use-tools.js';

interface ToolsPageProps extends Pick<CompanionPageProps, 'api' | 'companionId' | 'name'> {
  mayDecide: boolean;
}

/** Shows what a companion may use, and lets operators allow and deny. */
export function ToolsPage({ api, companionId, name, mayDecide }: ToolsPageProps) {
  const { board, problem, retry, decide, takeBack } = useTools(api, companionId, mayDecide);
  return (
    <main className="page" aria-label="Tools">
      <h2>What {name} may use</h2>
      <Problem words={problem} isLooking={board === null} onRetry={retry} />
      {board && (
        <>
          <ul className="entries">
            {board.tools.map((tool) => (
              <ToolEntry
                key={tool.name}
                tool={tool}
                mayDecide={mayDecide}
                decide={decide}
                takeBack={takeBack}
              />
            ))}
          </ul>
          {board.leftOut.map((one) => (
            <p key={one.from} className="hint">
              {describeLeftOut(one)}
            </p>
          ))}
          {board.rules !== null && <Rules rules={board.rules} />}
        </>
      )}
    </main>
  );
}

interface ToolEntryProps extends Pick<ReturnType<typeof useTools>, 'decide' | 'takeBack'> {
  tool: ToolView;
  mayDecide: boolean;
}

function ToolEntry({ tool, mayDecide, decide, takeBack }: ToolEntryProps) {
  const isAllowed = tool.permission === 'allowed';
  return (
    <li data-permission={tool.permission}>
      <p>
        <code>{tool.name}</code> {tool.description}
      </p>
      <p className="memory-origin">
        {describeTool(tool)}
        {tool.isGranted && <LinkButton onClick={() => void takeBack(tool.name)}>Ask me again</LinkButton>}
        {mayDecide && (
          <LinkButton onClick={() => void decide(tool.name, !isAllowed)}>
            {isAllowed ? 'Deny everywhere' : 'Allow everywhere'}
          </LinkButton>
        )}
      </p>
    </li>
  );
}

function Rules({ rules }: { rules: readonly ToolRuleView[] }) {
  return (
    <section aria-label="Rules">
      <h3>Rules</h3>
      {rules.length === 0 ? (
        <p className="hint">None. Outside tools may not be used.</p>
      ) : (
        <ul className="entries">
          {rules.map((rule) => (
            <li key={JSON.stringify(rule)}>{describeRule(rule)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
