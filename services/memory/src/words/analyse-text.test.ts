import { describe, expect, it } from '@jest/globals';
import { analyseText, foldText, wordsOf } from './analyse-text.js';

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

  it('pairs the characters of scripts written without spaces', () => {
    expect(analyseText('東京都に')).toEqual(['東京', '京都', '都に']);
    expect(analyseText('猫')).toEqual(['猫']);
    expect(analyseText('iPhone手机')).toEqual(['iphon', '手机']);
  });

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
