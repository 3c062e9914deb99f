/**
 * `Stratford-upon-Avon`, `Rio de Janeiro`, `St. Ives`. A dash only joins parts of a word, so that each text matches in
 * one way.
 */
export const PLACE = String.raw`(\p{Lu}[\p{L}.'’]*(?:-[\p{L}.'’]+| (?:(?:de|la|le|of|upon|am|an|der|del|do|da) )?(?!I\b)\p{Lu}[\p{L}.'’]*){0,8})`;
export const NAME = String.raw`(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)`;
/** End of what is said, but for its time or reason: "she left me last week", not "she left me some soup". */
export const ENDS = String.raw`(?= ?(?:[^\p{L}\p{N}'’ -]|$)| (?:now|again|yesterday|today|recently|officially|(?:last|this) (?:week|weekend|month|year|morning|term|semester|spring|summer|autumn|fall|winter|\p{L}{3,6}day)|in (?!(?:the|an?|my|our|his|her)\b)\p{L}+|in \d+|since|(?:be)?cause|and|but|so|when|after|before|(?:\p{L}+|\d+) (?:days?|weeks?|months?|years?) ago|for (?:good|another|someone|somebody|him|her|(?:my|his|an?|the) (?:\p{L}+ )?(?:friend|man|woman|guy|girl|boy|colleague|coworker|boss|neighbou?r|cousin|brother|sister|ex)))(?![\p{L}-]))`;
/** End of a name in small letters: what comes next tells it from other words. */
export const ENDS_NAME = String.raw`(?=[^\p{L}\p{N}'’ -]|$| (?:and|but|because|with|now|atm|currently|since|again|too|though)(?![\p{L}'’-]))`;
/** Words in small letters, at whose beginning `knownPlaceAt` looks for a place: "i live in new york with my mum". */
export const PLAIN_PLACE = String.raw`(?:the )?(\p{Ll}[\p{Ll}.'’-]{1,20}(?: \p{Ll}[\p{Ll}'’-]{1,20}){0,3})`;
/** Words after "called" and "name is" that are no name: "my name is not important", "my dog is called crazy". */
const NO_PLAIN_NAME = String.raw`(?!(?:\p{L}*(?:ing|ed|able|ant|ous|ish|ique|ese|ical|ional|ential|ever|where|lish)|un\p{L}{3,}|the|an?|my|not|no|none|(?:ha)+h?|too|so|very|really|kinda|also|still|in|on|off|back|names?|it|that|this|him|her|them|what|crazy|lazy|weird|strange|long|short|common|rare|funny|stupid|dumb|ugly|cool|pretty|nice|secret|private|mud|legion|hard|difficult|easy|foreign|wrong|right|fine|great|good|bad|here|there|taken|gone|hidden|german|italian|french|russian|american|indian|african|korean|greek|dutch|welsh|latin|mexican|basic|safe|legit|fake|old|new|plain|simple|plural|mine|yours|first|last|next|above|below|fat|dead|after|before|away|out|up|down|by|upon|for|to|as|at|from|with|like)(?![\p{L}'’-]))`;
/** A name in small letters. */
export const PLAIN_NAME = String.raw`${NO_PLAIN_NAME}(\p{Ll}[\p{Ll}'’-]{1,20})${ENDS_NAME}`;
/** Not a time or an endearment behind "call me" in small letters. */
export const NO_PLAIN_CALL = String.raw`(?! (?:later|maybe|when(?:ever)?|if|soon|\p{L}{2,6}day|already|tomorrow|tonight|now|asap|any ?(?:time|one)|some(?:one|times?)|often|again|daily|please|babe|baby|honey|dear|mommy|daddy|bro|sir|dude)(?![\p{L}-]))`;
/** A company in small letters behind "work at": no time, and no kind of place that goes without an article. */
export const PLAIN_COMPANY = String.raw`(?!(?:\p{L}+(?:ings|teen|als|ies|ents)|sunrise|sunset|home|nights?|day|noon|midnight|dawn|dusk|weekends?|breakfast|lunch|dinner|christmas|easter|school|uni|university|college|church|hospital|work|camp|sea|least|most|max|best|worst|present|times?|first|last|once|all|the|an?|my|your|our|this|that|these|some|different|various|random|both|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|event|heights?|speed|scale|full|half|minimum|retail|reception|kindergarten|daycare|here|there)(?![\p{L}-]))(\p{Ll}{3,20})(?:${ENDS}|(?= (?:in|on|as|for|with|too|any ?more)\b))`;
/** Not followed by a pronoun, a clause or a time, which name no thing: "I love it", "I hate when it rains". */
export const NAMED = String.raw`(?!(?:(?:the|to|so|as|really|eating|drinking|playing|watching|lik(?:e|ing)|lov(?:e|ing)|enjoy(?:ing)?) )*(?:the(?=[^\p{L}]*$)|it|this|that|these|those|them|they|he|she|i|him|her|his|you|your|us|we|me|myself|something|anything|nothing|everything|what|how|when|where|who|why|if|because|not|neither|none|nobody|no one|every|all|at|in|on|with|for|from|(?:hard|together|one)(?= (?:every|all|and|but|for|to|at|in|on)\b|[^\p{L}]*$|[^\p{L} ])|here|there|too|think|believe|say|know|see|hear|be|imagine|pretend)(?![\p{L}-]))`;
/** A few words, up to what ends a phrase. */
export const THING = String.raw`${NAMED}([\p{L}\p{N}'’-]+(?: (?!(?:and|or|but|because|since|when|while|so|that|who|which|with|like|for|at|in|on|after|before|as|too|anymore|any|again|now|these|this|lately|very|really|more|less|better|please|a lot|so much|every|all)\b)[\p{L}\p{N}'’-]+){0,3})`;
export const ROLE = String.raw`(?:an? |the )?(?!(?:hard|much|well|long|fast|often|little|far|usual|always|of|planned|expected|intended|designed|required|normal)\b)([\p{L}-]+(?: (?!(?:and|but|at|for|in|on|with|now|since|last|this|from|because|when|again|there|here|who)\b)[\p{L}-]+){0,2})`;
export const PARTNER = 'wife|husband|girlfriend|boyfriend|partner|fianc(?:é|e|ée|ee)';
/** One half of a couple: "me and Kim broke up", not "my band and I". */
export const LOVED = String.raw`(?:my (?:${PARTNER})|(?<!(?:my|our|the|his|her|their) )(?!(?:friend|bestie|band|group|team|roommate|mom|mum|dad|brother|sister|coffee|caffeine|sugar|carbs|bread|cheese|alcohol|nicotine|gym|netflix|tinder|instagram|discord)\b)(?<!\p{L})\p{L}{1,20})`;
export const PET = 'dog|cat|rabbit|hamster|parrot|bird|horse|turtle|ferret|puppy|kitten|fish|snake|lizard';
export const OCCUPATION =
  'nurse|teacher|student|doctor|lawyer|engineer|developer|programmer|designer|writer|artist|chef|cook|baker|barista|carpenter|electrician|plumber|pilot|driver|farmer|gardener|journalist|photographer|musician|dentist|vet|pharmacist|accountant|manager|librarian|translator|architect|scientist|researcher|professor|paramedic|firefighter|soldier|waiter|waitress|cashier|hairdresser|mechanic|therapist|psychologist|consultant|freelancer';
/** Not a former, future, spare-time or judged trade: "a retired nurse", "a terrible cook". */
export const NO_JUDGED = String.raw`(?!(?:former|ex|retired|failed|wannabe|would-be|aspiring|amateur|hobby|student|trainee|future|fake|born|natural|good|great|amazing|decent|better|bad|terrible|horrible|awful|lousy|mediocre|fast|slow)\b)`;
/** Not for some days alone: "I don't eat meat on Fridays", "I'm vegan at home". */
export const NO_OTHER_TIME = String.raw`(?! (?:on (?:\p{L}{3,6}days?|weekends)|at (?:home|work|school)|during|until|before|after|most|today|tonight|right now|this (?:week|month)|for (?:an?|one|two|three|a few|\d+) (?:day|week|month)s?(?! now))\b)`;
/** Meat dishes that somebody says they had. */
export const MEAT =
  'steak|chicken|beef|pork|burger|bacon|ham|turkey|lamb|ribs|sausages?|salami|schnitzel|kebab|meatballs?|wings';
/** Words before such a dish that say it has no meat. */
export const MEATLESS =
  'vegan|veg(?:gie|etarian|etable)|meatless|meat-free|plant-based|tofu|seitan|soya?|fake|mock|faux|mushroom|beyond|impossible';
export const EATS_MEAT = 'eats meat';
/** Apps that people join, and do not work for. */
export const APP =
  'Discord|TikTok|Instagram|Facebook|Twitter|X|Threads|Bluesky|Mastodon|Reddit|Snapchat|Telegram|WhatsApp|Signal|Slack|Teams|Zoom|Tinder|Bumble|Hinge|LinkedIn|Twitch|YouTube|Spotify|Strava|Steam|Duolingo';
/** Companies that many leave for one another. */
export const COMPANY = `${APP}|Google|Meta|Apple|Amazon|Microsoft|Netflix|Disney|Tesla|OpenAI|Anthropic|Nvidia|Intel|IBM|Oracle|Uber|SAP|Siemens|Bosch`;
/** Subjects of a study that people switch to. */
export const SUBJECT = String.raw`(?:\p{L}+ )?(?:\p{L}+(?:ology|onomics|istry|ysics|ematics)|maths?|law|medicine|nursing|history|geography|philosophy|literature|linguistics|engineering|education|architecture|(?:computer|political|data|social) science)`;
/** "I'm single-minded", "I'm single handed", "I'm engaged in a project", "I'm married to my job". */
export const NO_OTHER_TIE = String.raw`(?![\p{L}-]|(?<=single) (?:handed|digit|player|malt|file|use|threaded|room|bed)\b|(?<=engaged) (?:in|with|by|on)\b| from\b| to (?:my (?:job|work)|the (?!love|best|most|man|woman|girl|guy|sweetest|greatest|kindest)\p{L}+)\b)`;
/** Titles and names of relatives: "I started seeing Dr. Smith" is about a doctor. */
export const NO_PARTNER =
  'Mom|Mum|Mama|Mommy|Dad|Papa|Daddy|Grand(?:ma|pa)|Granny|Aunt|Uncle|Dr|Mr|Mrs|Ms|Prof(?:essor)?';
/** Words right before "call me" by which no name is given. */
export const DENIED = String.raw`\p{L}{1,6}n['’]t|[Nn]ot|[Cc]annot|[Nn]ever|[Nn]obody|[Nn]o one|[Ss]top|[Qq]uit`;
/**
 * Not a time, a place or a condition: "call me Friday", "call me May 5th", "call me ASAP". Names that are months, too, as
 * April and June, are names where no number follows.
 */
export const NO_OTHER_CALL = String.raw`(?! (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|July|September|October|November|December|ASAP|Later|Back|Tomorrow|Tonight|Today|Now|When|If|On|At|In|Maybe|Anytime|Train|Bus|Car|Bike)\b)(?! (?:April|May|June|August) \d)`;
/** Others who call somebody something. */
export const OTHERS =
  '(?:[Tt]hey|[Pp]eople|[Bb]ullies|[Kk]ids|[Oo]thers|[Ee]veryone there|[Ss]ome|[Ff]riends)(?: always| all| often)?';
/** Not what the speaker dislikes to be called, or is called by only some: "I hate when people call me Karen". */
export const NO_TAUNT = String.raw`(?<!\b[Bb]ullies (?:always |all |often )?)(?<!\b(?:hate (?:it )?when|[Oo]nly|[Mm]ean) (?:my |the )?${OTHERS} )(?!(?<=(?<!\p{L})${OTHERS} )call me (?:Ugly|Fat|Fatso|Fatty|Stupid|Dumb|Lazy|Weird|Crazy|Loser|Idiot)\b)`;
/** Not a count of anything but years: "I turned 180 degrees". */
export const NO_OTHER_COUNT = String.raw`(?![ -](?:degrees?|shades|pages?|minutes?|hours?|corners?|times|pounds|dollars|euros|heads|knobs|keys|cards)\b|(?<=\bturn \d{1,3}) (?:next|tomorrow|soon|in|on|this)\b)`;
/** Things that people are allergic to in jest alone: work, sports and people may be meant. */
export const NO_ALLERGEN =
  '(?:(?:early|monday) )?(?:mornings?|mondays?|stupidity|idiots|nonsense|bullshit|drama|commitment|small talk)';
/** Things that are studied with the eyes alone. */
export const NO_STUDIES = '(?:the|this|that|your) (?:menu|ceiling|fridge)';
/** Not something about a job: "I lost the job offer". */
export const NO_OTHER_JOB = String.raw`(?! (?:offer|interview|lottery|title|application|listing)s?\b)`;
/** Times that "last" and "this" tell of. */
export const SPAN =
  'week|weekend|month|year|term|semester|morning|afternoon|evening|night|spring|summer|fall|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december';
/** Beginning of a time: "we split up the day after", "we broke up a few months ago". */
const TIME = String.raw`(?:(?:few|couple|of|very|same|long|good|whole|first|last|next|second|third|senior|junior|other) ){0,3}(?:days?|weeks?|months?|years?|time|while|bit|moment|minute|second|hours?|${SPAN})\b`;
/** Not going to bed, and not taking a thing out of use: "I retired the old server". */
export const NO_OTHER_END = String.raw`(?! early last night\b| from (?!(?:work|my|the|teaching|nursing)\b)| to (?:(?:my|the) )?(?:room|bed)\b| from the (?:tournament|game|match|race|round|contest|competition|fight|raid|party|chat|server|guild)\b| (?:the|my|this) (?!${TIME}))`;
/** Not a sharing of things or of a group: "we split up the bill". */
export const NO_OTHER_SPLIT = String.raw`(?! (?:into|laughing|to (?:search|look|cover|find|explore|check|hunt|shop|get|save))\b| (?<=split up )(?:at|in|on|for) (?:the|an?|our) (?!${TIME}|end\b|beginning\b|start\b)| (?:the|an?|my|our|some|two|those) (?!${TIME}))`;
/** People and groups that one leaves as one leaves a partner: "I broke up with my dentist". */
export const NO_LOVER = String.raw`my (?:therapist|band|best friend|doctor|dentist|gym|bank|barber|hairdresser|church|group|team|publisher)\b(?! (?:${PARTNER})\b)`;
/** Not a leaving for a while: "my wife left me this morning to go to work". */
export const NO_ERRAND = String.raw`(?! (?:this morning|today|yesterday) (?:to (?:go|work|get|buy|pick|run|visit|see(?! some))\b|alone\b|for (?:work|school|the (?:day|week|weekend|night)|an? (?:meeting|trip|walk|run|while))\b|(?:some|an?|the) (?!${TIME})))`;
/** Not a marriage in a game. */
export const NO_GAME = String.raw`(?!(?: to(?: \p{L}+){1,2})? in (?:the game|skyrim|stardew|minecraft|the sims|game|roblox|fallout|final fantasy|baldur)(?!\p{L}))`;
/** Not an animal that comes back, or dies in a manner of speaking: "my dog ran away from the vacuum". */
export const NO_OTHER_LOSS = String.raw`(?! (?:laughing|inside|a (?:little|bit|tiny)|(?:his|her|their) \p{L}+(?<!sleep)|on (?:me|us|stage)|at (?:that|this|my)|when (?:i|we|he|she|they) (?:saw|heard|read|told|said))\b| of (?:laughter|boredom)\b)(?![^.!?]{0,40} (?:in|of) (?:(?:the|an?|my|our|that|this) (?:\p{L}+ )?(?:game|raid|dungeon|campaign|movie|film|show|series|season|book|episode|story|dream|anime|play)|skyrim|stardew|minecraft|the sims|roblox|fallout|elden ring)\b)(?! from (?:the|an?) (?:vacuum|cleaner|hoover|noise|dog|cat|bath|broom|mower|fireworks|thunder)\b)(?! for (?:an?|two|a few) (?:seconds?|minutes?|hours?|while|moment)\b)(?![^.!?]{0,60} but (?:we|i|he|she|they) (?:found (?:him|her|it|them)\b(?! dead)|came back|got (?:him|her|it|them|back|home)\b))`;
/** Not followed by a month, as in "I was born in May". */
export const NO_MONTH = String.raw`(?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)`;
export const NOW = String.raw`(?:now |currently |still |just |finally |recently |actually |officially )*`;
export const I_AM = String.raw`\bi(?:['’]m| am|['’]ve been| have been)`;
