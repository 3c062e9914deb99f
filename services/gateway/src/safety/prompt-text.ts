/** Keeps what people write from opening or closing one of our blocks. */
export function neutral(text: string): string {
  return text.replaceAll(
    /<(?=\s*(?:\/\s*)?(?:person|earlier|memories|core|tasks|wishes|unsettled|jokes|lore|quoted|mood|outreach|heartbeat|asked|untrusted)\b)/gi,
    '‹',
  );
}

/** Puts a text on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Makes a display name, which its owner chose, one short line without markup. */
export function plainName(name: string): string {
  return (
    oneLine(name)
      .replaceAll(/[<>:`]/g, '')
      .slice(0, 40) || 'someone'
  );
}
