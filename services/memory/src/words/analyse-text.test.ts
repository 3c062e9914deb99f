import { describe, expect, it } from '@jest/globals';
import { analyseQuestion, analyseText, foldText, sharesWord, wordsOf } from './analyse-text.js';

describe('text analysis', () => {
  it('finds a word whatever its case, accents and width', () => {
    expect(analyseText('CAFÉ Ｔｏｋｙｏ')).toEqual(analyseText('cafe tokyo'));
  });

  it('brings the forms of an English word together', () => {
    expect(analyseText('adopted adopting adopts')).toEqual(['adopt', 'adopt', 'adopt']);
  });

  it('drops what every sentence has, and keeps what makes it different', () => {
    expect(analyseText("I don't know what my sister's dog is")).toEqual(['know', 'sister', 'dog']);
  });

  it('keeps numbers, and the order and repetition of words', () => {
    expect(analyseText('room 12, room 7')).toEqual(['room', '12', 'room', '7']);
  });

  it('cuts what is written without spaces into words, and pairs of characters beside', () => {
    expect(analyseText('東京都に')).toEqual(['東京', '都', '京都', '都に']);
    expect(analyseText('我养了一只猫')).toContain('猫');
    expect(analyseText('猫')).toEqual(['猫']);
    expect(analyseText('iPhone手机')).toEqual(['iphon', '手机']);
  });

  it('reads a line in its own language', () => {
    expect(analyseText('Mein Hund wohnt in den Häusern')).toEqual(['hund', 'wohnt', 'haus']);
    expect(analyseText('Мои собаки')).toEqual(analyseText('моих собак'));
    expect(analyseText('Straße')).toEqual(analyseText('STRASSE'));
  });

  it('looks for a question in the languages that it may be in', () => {
    expect(analyseQuestion('which houses did I like?')).toEqual(analyseText('which houses did I like?'));
    expect(analyseQuestion('Wohnungen?', 'de')).toEqual(expect.arrayContaining(['wohnung', 'wohnungen']));
  });

  it('looks in every language for the word of somebody who searches their own memories', () => {
    expect(analyseQuestion('Möhring', 'en', true)).toEqual(expect.arrayContaining(['mohr', 'mohring']));
    expect(analyseQuestion('sorriso', 'ja', true)).toEqual(expect.arrayContaining(['sorris']));
    // German has the one in every other sentence, Dutch the other.
    expect(analyseQuestion('war', 'en', true)).toContain('war');
    expect(analyseQuestion('hat', 'en', true)).toContain('hat');
    expect(analyseQuestion('meine Wohnung', 'en', true)).not.toContain('mein');
  });

  it('reads a word as it looks, without marks that nobody sees', () => {
    expect(analyseText('Ich war im Kran\u00adken\u00adhaus')).toEqual(['krankenhaus']);
    expect(wordsOf('\u2067ab\u200dc\u2069 d\u200ce')).toEqual(['abc', 'd', 'e']);
  });

  it.each([
    ['قهوه', 'أحب القهوة'],
    ['القهوه', 'أحب القهوة'],
    ['احمد', 'قابلت أحمد'],
    ['الأسكندريه', 'سافرت إلى الاسكندرية'],
    ['مصطفي', 'قابلت مصطفى'],
    ['علي', 'قابلت علي'],
    ['قهـــوة', 'أحب القَهْوَة'],
    ['کتابی', 'كتابي'],
    ['ネコ', 'ねこが好きです'],
    ['りんご', '昨日ﾘﾝｺﾞを食べました'],
    ['ヱビス', '昨日ヱビスを飲んだ'],
  ])('finds %s in %s, however its letters are written', (word, line) => {
    expect(sharesWord(word, line)).toBe(true);
    expect(sharesWord(line, word)).toBe(true);
  });

  it('takes no part of a word in katakana for an ending in hiragana', () => {
    expect(sharesWord('マンション', '明日は雨でしょう')).toBe(false);
    expect(sharesWord('カタカナ', '食べたからね')).toBe(false);
  });

  it('finds a word that two texts share, in the language of either', () => {
    expect(sharesWord('vergiss meine Wohnungen', 'Die Wohnung ist zu klein')).toBe(true);
    expect(sharesWord('olvida lo de mis perros', 'Mi perro se llama Toby')).toBe(true);
    expect(sharesWord('my dogs', 'The dog sleeps')).toBe(true);
    expect(sharesWord('the dog', 'die Katze')).toBe(false);
  });

  it.each([
    ['昨日ラーメンを食べました', '新しい仕事を始めました'],
    ['東京に住んでいます', '犬を飼っています'],
    ['来週大阪に行きます', '毎朝六時に起きます'],
    ['私の仕事', '私の膝'],
    ['彼氏と別れたこと', '病院に行ったこと'],
  ])('takes no ending of a Japanese verb for a word: %s, %s', (a, b) => {
    expect(sharesWord(a, b)).toBe(false);
  });

  it.each([
    ['きた', '駅のきたにすんでいます'],
    ['いた', '昨日はいたを買いました'],
    ['いまに置いた', 'テレビはいまにある'],
    ['てれび', 'テレビを見た'],
    ['テレビ', 'てれびをみた'],
    ['こーひー', 'コーヒーが好き'],
  ])('finds a Japanese noun in hiragana, and one of katakana: %s', (asked, told) => {
    expect(sharesWord(asked, told)).toBe(true);
  });

  it('takes the end of a Japanese verb for no noun', () => {
    expect(sharesWord('きた', '北海道に行ってきた')).toBe(false);
    expect(sharesWord('電車で寝ていた', '公園で遊んでいた')).toBe(false);
  });

  it('finds a Japanese word with its particles, in hiragana alone too', () => {
    expect(sharesWord('膝のこと', '膝の手術をしました')).toBe(true);
    expect(sharesWord('たまごっち', 'たまごっちが好きです')).toBe(true);
  });

  it.each([
    ['たこ', '大阪でたこを食べました'],
    ['しま', '昨日しまさんと会った'],
    ['えま', '昨日えまと遊んだ'],
    ['りま', 'りまが好きです'],
    ['とこ', 'とこの間にいる'],
  ])(
    'takes the Japanese word %s for one, though a verb or its こと may have the same characters',
    (word, line) => {
      expect(sharesWord(word, line)).toBe(true);
    },
  );

  it.each(['a', 'é ', '日本', 'กข', 'der ', 'ﷺ', "'s", 'http://'])(
    'takes no longer for 100,000 characters than for the longest row: %s',
    (part) => {
      const hostile = part.repeat(100_000 / part.length);
      expect(analyseText(hostile)).toEqual(analyseText(hostile.slice(0, 4_000)));
    },
  );

  it('keeps Japanese voicing marks and Hindi vowel signs, which are not accents', () => {
    expect(foldText('がぎ')).toBe('がぎ');
    expect(wordsOf('नमस्ते दुनिया')).toEqual(['नमस्ते', 'दुनिया']);
  });

  it('finds nothing in punctuation, emoji and stop words', () => {
    expect(analyseText('… 🎉!! who are you?')).toEqual([]);
  });

  it('cuts what is too long to be a word', () => {
    expect(analyseText('x1'.repeat(500))[0]).toHaveLength(40);
  });
});
