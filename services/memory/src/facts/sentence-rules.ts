import { ENDED_TIE, endAnyOf, type FactRule, rule, ruleWithNames } from './fact-rule.js';
import { keyOf, tidy, titled } from './fact-value.js';
import {
  APP,
  ENDS,
  NAME,
  NO_ALLERGEN,
  NO_GAME,
  NO_OTHER_LOSS,
  I_AM,
  LOVED,
  NO_OTHER_SPLIT,
  NO_OTHER_TIE,
  NOW,
  OTHERS,
  PARTNER,
  PET,
  PLACE,
  PLAIN_NAME,
} from './rule-words.js';

/** Attributes whose value is a name that a person may put right: "I meant Bruges, not Ghent". */
const NAMED_ATTRIBUTES = ['home', 'origin', 'employer', 'partner', 'name'];
/** No word that the named partner is a former one. */
const PARTED = String.raw`(?![^.!?]{0,80}\b(?:broke|split|left|dumped|died|passed|divorced?|ex)\b)`;
/** Words after an animal that are not its name: "my dog walker died". */
const OF_PET =
  '(?:not|food|tank|bowl|bed|toy|cam|door|cafe|show|walker|sitter|trainer|groomer|feeder|breeder)';
/** Not an exclamation beside a partner: "My wife, God bless her", "My girlfriend LOL". */
const NO_CRY = String.raw`(?=\p{Lu}\p{Ll})(?!(?:God|Thanks?|Bless|Is|Was|Has)\b)`;
/** Words after the name of a partner, and not of something that is theirs: "my wife English teacher". */
const AFTER_PARTNER = String.raw`(?=,|[.!]?$| (?:who|is|was|has|had|and|likes|loves|hates|works|lives|says|said|does|can|will|got|just|also|always|never|wants|thinks|told|asked|made|bought|came|comes|went|goes)\b)`;
/** Words that begin something else than a second thing one is allergic to. */
const NO_SECOND_THING =
  /^(?:i|we|my|he|she|it|they|you|that|this|something|anything|things|stuff|love|like|hate|have|am|is|are|so|also|just|not|yes|no|please|thanks?)(?!\p{L})/iu;

const IN_JEST = new RegExp(`^${NO_ALLERGEN}$`, 'iu');

/** Forms between whose words a comma may stand: they are matched against whole sentences. */
export const SENTENCE_RULES: readonly FactRule[] = [
  ruleWithNames(
    String.raw`(?<!\p{L})${OTHERS} call me ${NAME},? (?:and|but) I (?:really )?hate (?:it|that)\b`,
    ([, name = '']) => ({ attribute: 'name', value: null, was: name }),
  ),
  ruleWithNames(
    String.raw`\b[Mm]y (?:${PARTNER})(?:(?:['’]?s name is| is called| is named|['’]?s (?:called|named)) (?:${NAME}|${PLAIN_NAME})|, ${NO_CRY}${NAME}|(?! (?:\p{L}{3,6}day)\b) ${NO_CRY}${NAME}${AFTER_PARTNER}${PARTED})`,
    ([, name, plain = '', beside, apart]) => ({
      attribute: 'partner',
      value: name ?? beside ?? apart ?? titled(plain),
    }),
  ),
  // "Sorry, I meant Bruges, not Ghent", "I'm not Alex, I'm Sam": the attribute is the one that has the wrong value.
  ruleWithNames(
    String.raw`\bI mean[t]? (?:in |at )?${PLACE},? not (?:in |at )?${PLACE}`,
    ([, value = '', was = '']) =>
      NAMED_ATTRIBUTES.map((attribute) => ({ attribute, value, was: tidy(was), isChange: true })),
  ),
  ruleWithNames(
    String.raw`\b(?:[Nn]ot|[Nn]o longer) ${NAME}, (?:but )?(?:I['’]m|I am|[Ii]t['’]s|[Mm]y name is) ${NAME}`,
    ([, was = '', value = '']) => ({ attribute: 'name', value, was, isChange: true }),
  ),
  rule(String.raw`${I_AM} ${NOW}(?:\p{L}+ly )?allergic to ([^.!?;:()\n]{1,120})`, ([, list = '']) => {
    const things = list.split(/, (?:and )?| and | or | & /u);
    const isList = things.every((thing) => thing.split(' ').length <= 2 && !NO_SECOND_THING.test(thing));
    return isList && things.length > 1
      ? things
          .filter((thing) => !IN_JEST.test(thing))
          .map((thing) => ({ attribute: `allergy:${keyOf(thing)}`, value: 'allergic' }))
      : null;
  }),
  // Not "my moms dog", without the apostrophe.
  ruleWithNames(
    String.raw`\b(?:[Mm]y|[Oo]ur) (?:\p{L}+(?<!s) )?(${PET})(?:['’]?s name is| is called| is named|['’]?s (?:called|named)) (?:${NAME}|${PLAIN_NAME})|\b(?:I|We|we) (?:have|got|adopted|own)(?: an?| another)? (?:(?!no )\p{L}+ )?(${PET})(?:,)? (?:called|named) (?:${NAME}|${PLAIN_NAME})|(?<!\b(?:[Mm]iss|missed|buried) )\b(?:[Mm]y|[Oo]ur) (${PET}),? (?!(?:\p{L}{3,6}day|Oh|${APP})\b)${NO_CRY}${NAME}(?!['’]|[^.!?]{0,80} (?:died|dead|passed|heaven|put (?:down|to sleep))\b)|\b[Tt]his is (?:my|our) (${PET})(?!${ENDS}) (?!${OF_PET}\b)${PLAIN_NAME}(?=,? (?:he|she|they)(?:['’]?s|['’]re)?(?!\p{L}))`,
    ([, pet, name, plain, other, called, calledPlain, beside, apart, shown = '', shownPlain = '']) => ({
      attribute: `pet:${kindOfPet(pet ?? other ?? beside ?? shown)}`,
      value: name ?? called ?? apart ?? titled(plain ?? calledPlain ?? shownPlain),
    }),
  ),
  rule(
    String.raw`\b(?:my|our) (${PET})(?: (?!${OF_PET}\b)\p{L}+)?,? (?:has |just |sadly )*(?:died|passed away|ran away)\b${NO_OTHER_LOSS}|\bi (?:gave away|lost|rehomed) my (${PET})(?: to\b|${ENDS})${NO_OTHER_LOSS}`,
    ([, one, two = '']) => ({ attribute: `pet:${kindOfPet(one ?? two)}`, value: null }),
  ),
  rule(
    String.raw`\bmy (wife|husband) (?:has |just |sadly |suddenly )*(?:died|passed away)\b${NO_OTHER_LOSS}`,
    () => [
      { attribute: 'relationship', value: 'widowed' },
      { attribute: 'partner', value: null },
    ],
  ),
  rule(
    String.raw`\b(?:me and ${LOVED}|${LOVED} and (?:i|me)) (?:${NOW}((?:broke|split) up)\b${NO_OTHER_SPLIT}|(?:are|['’]re|got) ${NOW}(?:back together|dating|a couple)${ENDS}|(?:are|['’]re|got) ${NOW}(married|engaged|divorced)${NO_OTHER_TIE}${NO_GAME})`,
    ([, parted, tie = 'in a relationship']) =>
      parted === undefined ? { attribute: 'relationship', value: tie } : ENDED_TIE,
  ),
  rule(
    String.raw`\b(?:the|our) (?:wedding|engagement)(?: is|['’]s| was) (?:off|cancelled|canceled)${ENDS}|\b(?:called|broke|calling) off (?:the|our|my) (?:wedding|engagement)\b`,
    () => ({ attribute: 'relationship', value: null, was: 'engaged' }),
  ),
  // By name: ends a pet or a partner only where one is known by it.
  rule(
    String.raw`(?<!\p{L}|\b(?:my|our|the|an?|his|her|their|this|that|your) )(?!(?:${PET}|not|never|has|have|had|just|i|he|she|it|they|we|you|who|that)\b)(\p{L}[\p{L}'’-]{1,20}) (?:has |just |sadly |suddenly |finally )*(?:died|passed away)\b${NO_OTHER_LOSS}|\b(?:had to|we) put (\p{L}{2,20}) (?:down(?! for| on| in| as| with)|to sleep)\b`,
    ([, died, asleep = '']) =>
      died === undefined ? endAnyOf(NAMED_PETS, asleep) : endAnyOf([...NAMED_PETS, 'partner'], died),
  ),
];

const NAMED_PETS = PET.split('|').map((pet) => `pet:${kindOfPet(pet)}`);

function kindOfPet(pet: string): string {
  const kinds: Record<string, string> = { puppy: 'dog', kitten: 'cat' };
  return kinds[pet.toLowerCase()] ?? pet.toLowerCase();
}
