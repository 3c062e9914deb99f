import { oneLine } from '@kith/contracts';

/** Keeps what people write from opening or closing one of our blocks. */
export function neutral(text: string): string {
  return text.replaceAll(
    /<(?=\s*(?:\/\s*)?(?:person|earlier|memories|core|tasks|wishes|unsettled|jokes|lore|quoted|mood|outreach|heartbeat|asked|untrusted)\b)/gi,
    '‹',
  );
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
