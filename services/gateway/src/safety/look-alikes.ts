/** Letters of other scripts, and small capitals, that look like Latin ones and are not their compatibility forms. */
const TWINS = new Map(
  `аa вb сc ԁd еe һh нh іi јj кk ӏl мm оo рp ԛq ѕs тt уy үy хx ԝw ыbi
  αa βb εe ηn ιi κk νv οo ρp ςc τt υu χx ΒB ΕE ΗH ΜM ΝN ΡP ΥY ΧX ΖZ ϳj
  ıi ɑa ɡg ɩi օo սu հh ոn ѡw
  ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz`
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1)] as const),
);

/** Reduces a text to what a reader takes it for: without marks and what cannot be seen, in small Latin letters. */
export function seenAs(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[^ -~]/gu, (letter) => TWINS.get(letter) ?? TWINS.get(letter.toLowerCase()) ?? letter)
    .toLowerCase();
}
