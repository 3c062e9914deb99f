import { useEffect, useRef, type JSX } from 'react';
import type { ToolQuestions } from './use-tools.js';
import './tools.css';

/** Asks whether a tool may be used, with what it would be given, and shows what came of it. */
export function ToolDialog({ questions, end, answer, dismiss }: ToolQuestions): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = questions[0];
  const isOpen = question !== undefined || end !== null;
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  // Leaving it leaves the question where it is.
  return (
    <dialog ref={dialog} className="tool-dialog" aria-label="A tool asks" onCancel={dismiss}>
      {end !== null ? (
        <>
          <pre className="tool-result">{end}</pre>
          <button type="button" onClick={dismiss}>
            Close
          </button>
        </>
      ) : (
        question && (
          <>
            <h2>May it use {question.tool}?</h2>
            <dl>
              {Object.entries(question.arguments).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                </div>
              ))}
            </dl>
            <p className="tool-answers">
              <button type="button" onClick={() => void answer(question.id, 'yes')}>
                Allow
              </button>
              <button type="button" className="link" onClick={() => void answer(question.id, 'always')}>
                Always allow
              </button>
              <button type="button" className="link" onClick={() => void answer(question.id, 'no')}>
                No
              </button>
            </p>
          </>
        )
      )}
    </dialog>
  );
}
