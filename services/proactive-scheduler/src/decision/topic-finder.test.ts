import { describe, expect, it } from '@jest/globals';
import { topicFinder } from './topic-finder.js';

describe('topicFinder', () => {
  it.each([
    ['exam', 'their exams'],
    ['exams', 'how did the exam go?'],
    ['working late', 'they work late on Fridays'],
    ['my ex', 'you wanted to write to your ex'],
    ['the interview', 'an interview at the bank'],
    ['job interview', 'the interview for the new job'],
    ['Mum’s health', "their mum's health"],
    ['Prüfung', 'wie die Prüfungen gelaufen sind'],
    ['Prüfung', 'ob sie die Abschlussprüfung bestanden hat'],
    ['pruebas', 'cómo te fue en la prueba de ayer'],
    ['экзамен', 'как прошли экзамены?'],
    ['caf\u00e9', 'the cafe\u0301 they opened'],
    ['cafe', 'the caf\u00e9 they opened'],
    ['ＥＸＡＭ', 'the exam'],
    ['exam', 'the ex\u00adam'],
    ['考试', '问她考试怎么样'],
    ['考试压力', '你说过考试的压力很大'],
    ['試験', '試験はどうでしたか'],
    ['ｼｹﾝ', 'シケンはどうだった'],
    ['시험', '시험을 잘 봤는지'],
    ['สอบ', 'ถามเรื่องการสอบ'],
    ['Python考试', '她的 python 考试'],
    ['of', 'the end of it'],
    ['🍕🍕', 'more 🍕🍕 tonight'],
    ['✈️ travel', 'ask how the travel plans go'],
    ['✈️', 'the ✈ to Rome'],
    ['❤', 'they sent a ❤️'],
  ])('finds the topic "%s" in "%s"', (topic, text) => {
    expect(topicFinder(['quantum', topic])(text)).toBe(true);
  });

  it.each([
    ['art', 'the party on Friday'],
    ['exam', 'for example their garden'],
    ['job interview', 'the interview with a singer'],
    ['my ex', 'my sister'],
    ['考试', '问她旅行怎么样'],
    ['考试压力', '工作压力很大'],
    ['시험', '여행은 어땠는지'],
    ['Python考试', '她的 python 项目'],
    ['🍕🍕', 'more 🍔🍔 tonight'],
    ['❤️', 'their ✈️ to Rome'],
    ['\u200b\u200b', 'their garden'],
    ['\u200b \u0301', 'the cafe\u0301 they opened'],
    ['\u3164', '여행은 어땠는지'],
  ])('does not find the topic "%s" in "%s"', (topic, text) => {
    expect(topicFinder(['quantum', topic])(text)).toBe(false);
  });

  it('finds nothing where no topic is ruled out', () => {
    expect(topicFinder([])('anything')).toBe(false);
  });
});
