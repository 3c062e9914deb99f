import { Fragment, memo } from 'react';

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

const TAGS = { text: Fragment, strong: 'strong', emphasis: 'em', code: 'code' } as const;

function SpanText({ span }: { span: Span }) {
  if (span.kind === 'link')
    return (
      <a href={span.href} target="_blank" rel="noreferrer noopener">
        {span.text}
      </a>
    );
  const Tag = TAGS[span.kind];
  return <Tag>{span.text}</Tag>;
}

/** A stretch of a paragraph. */
type Span =
  | { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

type Block = { kind: 'paragraph'; spans: Span[] } | { kind: 'code'; language: string | null; text: string };

const FENCE = /```([\w+-]*)\n([\s\S]*?)(?:\n```|$)/g;
// In order of precedence: code, strong, emphasis, a bare address.
const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*?)\*|(https?:\/\/[^\s<>")\]]+[^\s<>")\].,;:!?])/g;

/**
 * The little Markdown that chat models write: fenced and inline code, strong, emphasis, bare addresses. All
 * else stays as it was written. A fence that is not closed yet, as while streaming, counts as open to the end.
 */
export function parseReply(text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const fence of text.matchAll(FENCE)) {
    blocks.push(...paragraphs(text.slice(from, fence.index)));
    blocks.push({
      kind: 'code',
      language: fence[1] === '' ? null : (fence[1] ?? null),
      text: fence[2] ?? '',
    });
    from = fence.index + fence[0].length;
  }
  return [...blocks, ...paragraphs(text.slice(from))];
}

function paragraphs(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ kind: 'paragraph', spans: spans(paragraph) }));
}

function spans(text: string): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    found.push(spanOf(match));
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}

function spanOf([whole, code, strong, emphasis]: RegExpExecArray): Span {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (emphasis !== undefined) return { kind: 'emphasis', text: emphasis };
  return { kind: 'link', text: whole, href: whole };
}
