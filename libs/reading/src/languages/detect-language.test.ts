import { describe, expect, it } from '@jest/globals';
import { detectLanguage } from './detect-language.js';

describe('the language of a line', () => {
  it.each([
    ['en', 'I live in Graz'],
    ['en', 'Take care!'],
    ['de', 'Mein Hund heißt Rex'],
    ['de', 'Ich wohne in Graz'],
    ['es', 'me gusta el café'],
    ['es', 'vivo en Madrid'],
    ['fr', 'j’habite à Lyon'],
    ['pt', 'moro em Lisboa'],
    ['it', 'vivo a Milano con mia sorella'],
    ['nl', 'ik woon in Gent'],
    ['pl', 'mieszkam w Krakowie'],
    ['sv', 'Jag bor i Lund'],
    ['tr', 'Köpeğimin adı Boncuk'],
    ['ru', 'Меня зовут Оля'],
    ['uk', 'Мене звати Оля, я живу у Львові'],
    ['ja', '私の犬の名前はポチです'],
    ['zh', '我的狗叫小白'],
    ['th', 'สุนัขของฉันชื่อมะลิ'],
    ['ar', 'أعيش في القاهرة'],
  ])('is %s: %s', (language, line) => {
    expect(detectLanguage(line)).toMatchObject({ language, isSure: true });
  });

  it.each(['Rex.', 'ok', 'haha', 'Tim', '🎉', '', 'https://example.org/le/la/les'])(
    'is the usual one where nothing shows it: %s',
    (line) => {
      expect(detectLanguage(line)).toMatchObject({ language: 'en', isSure: false });
      expect(detectLanguage(line, 'de')).toMatchObject({ language: 'de', isSure: false });
    },
  );

  it('is that of most words in mixed talk', () => {
    expect(detectLanguage('Gestern war ich beim meeting, war echt nice').language).toBe('de');
    expect(detectLanguage('I went to the Straßenfest with my sister').language).toBe('en');
    expect(detectLanguage('我用iPhone').language).toBe('zh');
  });
});
