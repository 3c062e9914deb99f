import { visibleJson, visibleText } from '@kith/contracts';
import { useEffect, useRef } from 'react';
import { Button, LinkButton } from '../page/button.js';
import type { useToolQuestions } from './use-tools.js';
import './tools.css';

/** Asks whether a tool may be used, with what it would be given, and shows what came of it. */
export function ToolDialog(props: ReturnType<typeof useToolQuestions>) {
  const { question, end, isAnswering, answer, dismiss } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = end ?? question?.id;
  useEffect(() => {
    // Closing it gives the focus back to where it was.
    if (shown === undefined) return dialog.current?.close();
    // Escape closes the dialog past React: whatever is shown next opens it again.
    if (dialog.current?.open === false) dialog.current.showModal();
    // It comes while somebody types: their next Enter must not press a button.
    dialog.current?.focus();
  }, [shown]);
  return (
    <dialog
      ref={dialog}
      className="tool-dialog"
      aria-label="A tool asks"
      tabIndex={-1}
      // By the time this event comes, the next question may be open.
      onClose={() => dialog.current?.open === false && dismiss()}
    >
      {end !== null ? (
        <>
          <pre className="tool-result">{end}</pre>
          <Button onClick={dismiss}>Close</Button>
        </>
      ) : (
        question && (
          <>
            <h2>May it use {question.tool}?</h2>
            <dl>
              {Object.entries(question.arguments).map(([name, value]) => (
                <div key={name}>
                  <dt>{visibleText(name)}</dt>
                  <dd>{typeof value === 'string' ? visibleText(value) : visibleJson(value)}</dd>
                </div>
              ))}
            </dl>
            <fieldset className="tool-answers" disabled={isAnswering}>
              <Button onClick={() => void answer(question.id, 'yes')}>Allow</Button>
              <LinkButton onClick={() => void answer(question.id, 'always')}>Always allow</LinkButton>
              <LinkButton onClick={() => void answer(question.id, 'no')}>No</LinkButton>
            </fieldset>
          </>
        )
      )}
    </dialog>
  );
}
