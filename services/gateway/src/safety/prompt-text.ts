import { oneLine } from '@kith/contracts';

/**
 * Keeps what people write from opening or closing one of our blocks. Whatever a line makes a blank of (`oneLine`) counts as
 * one.
 */
export function neutral(text: string): string {
  return text.replaceAll(
    /<(?=[\s\u0085]*(?:\/[\s\u0085]*)?(?:person|earlier|memories|core|tasks|wishes|unsettled|jokes|lore|quoted|mood|outreach|heartbeat|asked|untrusted)\b)/gi,
    '‹',
  );
}

/**
 * Puts lines between the tags of a block, and keeps them from closing it, also where only together they would; nothing
 * where there are none.
 */
export function dataBlock(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`<${name}>`, neutral(lines.join('\n')), `</${name}>`].join('\n');
}

/**
 * Words a line of a channel: its speaker's name and the text. The text's further lines are indented, so that none of them
 * can pass for a line of somebody else's.
 */
export function channelLine(name: string, text: string): string {
  return `${plainName(name)}: ${neutral(text).replaceAll(/[\n\v\f\r\u0085\u2028\u2029]+/g, '$&  ')}`;
}

/** Makes a display name, which its owner chose, one short line without markup. */
export function plainName(name: string): string {
  return (
    oneLine(name)
      .replaceAll(/[<>:`]/g, '')
      .slice(0, 40) || 'someone'
  );
}
