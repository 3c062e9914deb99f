/** Number within the marks of a sentence: `(-$1,000.50)`, `**5%**!` */
const NUMBER =
  /^[(*_'‘¿¡]*(?<before>[-−+]?\p{Sc}?|\p{Sc}[-−+])(?<digits>[.,]?\d+(?:[.,'’]\d+)*)(?<behind>[\p{Sc}%°]?)[\p{Terminal_Punctuation}'"’”“»)*_]*$/u;
/** Digits in groups of three: `1,000`, `1.000,50`. */
const GROUPED = /^(?<whole>[1-9]\d{0,2}([.,'’])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](?<decimals>\d+))?$/u;
/** Digits without groups. With a zero before them they are a code, as of a door or a telephone. */
const PLAIN = /^(?<whole>0|[1-9]\d*)?(?:[.,](?<decimals>\d+))?$/u;
/** Digits that are thousands to one reader and decimals to another: they count as neither. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/u;
/** Characters of a number: more are no amount. */
const MAX_CHARACTERS = 40;
/** Digits in groups of three with spaces between them. */
const SPACED = /(?<![\p{L}\p{N}.,])[1-9]\d{0,2}(?: \d{3})+(?![\p{L}\p{N}])/gu;
/** Space between a number and the sign of its currency or measure. */
const BEFORE_SIGN = /(?<=\d)\s(?=[\p{Sc}%°](?!\d))|(?<=(?<!\S)\p{Sc})\s(?=\d)/gu;

/**
 * Reads something without white space as one number: as JSON writes it, and with the sign of its currency or measure
 * behind it. Null where it is none.
 */
export function numberIn(token: string) {
  if (token.length > MAX_CHARACTERS) return null;
  const { before = '', behind = '', digits } = NUMBER.exec(token)?.groups ?? {};
  if (digits === undefined || AMBIGUOUS.test(digits)) return null;
  const parts = (GROUPED.exec(digits) ?? PLAIN.exec(digits))?.groups;
  if (!parts) return null;
  const whole = (parts['whole'] ?? '0').replaceAll(/\D/gu, '');
  const decimals = (parts['decimals'] ?? '').replace(/(?<!0)0+$/u, '');
  const plain = `${/[-−]/u.test(before) ? '-' : ''}${whole}${decimals && `.${decimals}`}`;
  return { plain, signed: `${plain}${before.replaceAll(/[-−+]/gu, '')}${behind}` };
}

/** Sets numbers off as words are: in one piece (`1 000`, `5 €`), and apart from what is measured in degrees (`20°C`). */
export function withNumbersApart(text: string): string {
  return text
    .replaceAll(SPACED, (digits) => digits.replaceAll(' ', ''))
    .replaceAll(BEFORE_SIGN, '')
    .replaceAll(/(?<=\d°)(?=[CFcf])/gu, ' ');
}
