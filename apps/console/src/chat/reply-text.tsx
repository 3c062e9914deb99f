import { memo } from 'react';
import { parseReply, type Span } from './parse-reply.js';

/** A reply's words with their little Markdown. */
export const ReplyText = memo(function ReplyText({ text }: { text: string }) {
  return (
    <>
      {parseReply(text).map((block, index) =>
        block.kind === 'code' ? (
          <pre
            key={index}
            tabIndex={0}
            aria-label={`Code${block.language === null ? '' : `, ${block.language}`}`}
          >
            <code>{block.text}</code>
          </pre>
        ) : (
          <p key={index}>
            {block.spans.map((span, place) => (
              <SpanText key={place} span={span} />
            ))}
          </p>
        ),
      )}
    </>
  );
});

function SpanText({ span }: { span: Span }) {
  switch (span.kind) {
    case 'text':
      return <>{span.text}</>;
    case 'strong':
      return <strong>{span.text}</strong>;
    case 'emphasis':
      return <em>{span.text}</em>;
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return (
        <a href={span.href} target="_blank" rel="noreferrer noopener">
          {span.text}
        </a>
      );
  }
}
