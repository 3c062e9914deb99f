import { trimEndOf } from '@kith/reading';
import { ENDS, ENDS_NAME } from './rule-words.js';

/** Places that many call otherwise than the machine's list of regions does. */
const OTHER_NAMES =
  'USA,US,UK,England,Scotland,Wales,Northern Ireland,Czech Republic,Holland,Turkey,Korea,Hong Kong,Macau,Burma,Ivory Coast,Palestine,Bosnia,America,Europe,New York City,NYC,LA,DC';
/** States and provinces that people name alone. */
const STATES =
  'Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Georgia,Hawaii,Idaho,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,New Jersey,New Mexico,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,West Virginia,Wisconsin,Wyoming,Ontario,Quebec,Alberta,Manitoba,British Columbia,Nova Scotia,Saskatchewan,Queensland,Tasmania,New South Wales,Bavaria,Saxony,Styria,Tyrol,Catalonia,Andalusia,Tuscany,Sicily,Sardinia,Lombardy,Normandy,Brittany,Provence,Cornwall,Devon,Kent,Essex,Yorkshire,Kerala,Punjab,Bali';
/** Big cities that give no time zone its name. */
const CITIES =
  'Aachen,Aarhus,Aberdeen,Adelaide,Albany,Albuquerque,Alicante,Antwerp,Atlanta,Austin,Bangalore,Barcelona,Basel,Belfast,Bergen,Bern,Bilbao,Birmingham,Bologna,Bonn,Bordeaux,Boston,Bremen,Brighton,Bristol,Bruges,Brooklyn,Buenos Aires,Buffalo,Calgary,Cambridge,Canberra,Cape Town,Cardiff,Charlotte,Chennai,Chiang Mai,Cincinnati,Cleveland,Cologne,Columbus,Cork,Coventry,Dallas,Delhi,Dortmund,Dresden,Dundee,Dusseldorf,Düsseldorf,Edinburgh,Eindhoven,Essen,Exeter,Florence,Fort Worth,Frankfurt,Galway,Geneva,Genoa,Ghent,Glasgow,Gothenburg,Granada,Graz,Grenoble,Groningen,Haifa,Hamburg,Hanover,Heidelberg,Houston,Hyderabad,Indianapolis,Innsbruck,Iowa City,Jacksonville,Kansas City,Karlsruhe,Kobe,Krakow,Kyoto,Lahore,Las Vegas,Lausanne,Leeds,Leicester,Leipzig,Lille,Linz,Liverpool,Long Beach,Louisville,Lyon,Malmo,Malmö,Manchester,Manhattan,Mannheim,Marseille,Melbourne,Memphis,Miami,Milan,Milwaukee,Minneapolis,Montreal,Mumbai,Munich,Munster,Münster,Nagoya,Nantes,Naples,Nashville,New Delhi,New Orleans,Newcastle,Nottingham,Nuremberg,Oakland,Oklahoma City,Omaha,Osaka,Ottawa,Oxford,Palermo,Philadelphia,Pittsburgh,Plymouth,Portland,Porto,Portsmouth,Potsdam,Pune,Queens,Raleigh,Rio de Janeiro,Rotterdam,Sacramento,Salt Lake City,Salzburg,San Antonio,San Diego,San Francisco,San Jose,Seattle,Seville,Sheffield,Southampton,St. Louis,Strasbourg,Stuttgart,Swansea,Tampa,Tel Aviv,The Hague,Toulouse,Trieste,Tucson,Turin,Utrecht,Valencia,Venice,Verona,Washington,Wroclaw,Würzburg,York';
/** Zones named by a city of a continent: no research station, and no `North_Dakota/Center`. */
const ZONE_OF_CITY = /^(?:Africa|America|Asia|Australia|Europe)\/[^/]+$/u;
/** Languages of the rules, whose names of countries people write. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'];
const LETTERS = 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'.split(' ');

let known: ReadonlyMap<string, string> | undefined;

/**
 * Gives a place as it is spelled; null for one that is not well known. Without its capital nothing else tells a place
 * from a thing: "i live in york", "i live in dread".
 */
export function knownPlace(said: string): string | null {
  known ??= new Map(
    [
      ...LANGUAGES.flatMap(countriesIn),
      ...citiesOfZones(),
      ...[OTHER_NAMES, STATES, CITIES].flatMap((names) => names.split(',')),
    ].map((name) => [name.toLowerCase(), name]),
  );
  return known.get(said.toLowerCase()) ?? null;
}

/** Words of the longest name that chat has in small letters: "rio de janeiro". */
const MAX_WORDS = 3;
/** Words that go on after a place. Others may make it a name of something else: "york street", "turkey sandwiches". */
const AFTER_PLACE = new RegExp(
  String.raw`^(?:${ENDS}|${ENDS_NAME}| (?:for|on|at|near|by|from|to|over|during|as|or|not|an?|if|like|about|until|till|where|which|that|tho|together|these|[Ii]|it|its|he|she|we|they|my|our|right|alone|all|also|already|then|last|this|next|you|haha|\p{L}+ly)(?![\p{L}-]))`,
  'u',
);

/** Gives the known place, as it is spelled, with which a text begins, and the text after it; null where there is none. */
export function knownPlaceAt(text: string): [place: string, after: string] | null {
  const words = text.split(' ', MAX_WORDS);
  for (let count = words.length; count > 0; count -= 1) {
    const name = trimEndOf(words.slice(0, count).join(' '), '.,!?;:)');
    const place = knownPlace(name);
    const after = text.slice(name.length);
    if (place) return AFTER_PLACE.test(after) || knownPlaceAt(after.trimStart()) ? [place, after] : null;
  }
  return null;
}

/** Lists the countries that the machine has names for. A pair of letters that is no country's has none. */
function countriesIn(language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  return LETTERS.flatMap((first) => LETTERS.map((second) => names.of(`${first}${second}`) ?? '')).filter(
    Boolean,
  );
}

function citiesOfZones(): string[] {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => ZONE_OF_CITY.test(zone));
  return zones.map((zone) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' '));
}
