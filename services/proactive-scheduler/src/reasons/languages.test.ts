import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { noticeReasons } from './notice-reasons.js';

const ZONE = 'Europe/Berlin';
/** Wednesday 14 January 2026, 15:20 in Berlin. */
const SAID_AT = DateTime.fromISO('2026-01-14T15:20', { zone: ZONE }).toJSDate();

function notice(text: string, by: 'person' | 'companion' = 'person'): string[] {
  const said = { person: [], companion: [], [by]: [{ text, saidAt: SAID_AT }] };
  return noticeReasons(said, ZONE).map(
    ({ kind, dueAt }) => `${kind} ${DateTime.fromJSDate(dueAt, { zone: ZONE }).toFormat('yyyy-MM-dd HH:mm')}`,
  );
}

describe('reasons to write, in other languages', () => {
  it.each([
    ['Erinnere mich morgen um 17 Uhr an den Zahnarzt', 'request 2026-01-15 17:00'],
    ['Kannst du mich bitte am Freitag daran erinnern?', 'request 2026-01-16 10:00'],
    ['Erinner mich am 3. Februar an die Miete!', 'request 2026-02-03 10:00'],
    ['Frag mich morgen, wie das Gespräch gelaufen ist', 'request 2026-01-15 18:00'],
    ['Ich habe am Freitag eine Prüfung', 'follow-up 2026-01-16 18:00'],
    ['Mein Geburtstag ist am 3. Mai.', 'date 2026-05-03 10:00'],
    ['Mein Geburtstag ist am 29. Februar.', 'date 2026-02-28 10:00'],
    ['Mi cumpleaños es el 29 de febrero', 'date 2026-02-28 10:00'],
    ['Mon anniversaire est le 29 février', 'date 2026-02-28 10:00'],
    ['Meu aniversário é no dia 29 de fevereiro', 'date 2026-02-28 10:00'],
    ['Recuérdame mañana a las 5 de la tarde llamar al banco', 'request 2026-01-15 17:00'],
    ['Pregúntame el viernes cómo me fue en la entrevista', 'request 2026-01-16 18:00'],
    ['Recuérdame llamar al banco el lunes por la mañana', 'request 2026-01-19 09:00'],
    ['Recuérdame el viernes por la noche llamar al banco', 'request 2026-01-16 19:00'],
    ['Recuérdame mañana por la tarde llamar al banco', 'request 2026-01-15 15:00'],
    ['Tengo un examen el mes que viene, recuérdame estudiar el lunes', 'request 2026-01-19 10:00'],
    ['Erinnere mich am montag morgen an den Zahnarzt', 'request 2026-01-19 09:00'],
    ['Erinnere mich am Montagabend an den Zahnarzt', 'request 2026-01-19 19:00'],
    ['Rappelle-moi lundi matin d’appeler la banque', 'request 2026-01-19 09:00'],
    ['Me lembre segunda de manhã de ligar para o banco', 'request 2026-01-19 09:00'],
    ['Me lembre segunda de ligar para o banco', 'request 2026-01-19 10:00'],
    ['Tengo un examen el viernes', 'follow-up 2026-01-16 18:00'],
    ['Mi cumpleaños es el 3 de mayo', 'date 2026-05-03 10:00'],
    ['Rappelle-moi demain à 17h d’appeler la banque', 'request 2026-01-15 17:00'],
    ['Rappelle-moi demain à 5h d’appeler la banque', 'request 2026-01-15 05:00'],
    ['Erinnere mich morgen um 8 Uhr an den Zahnarzt', 'request 2026-01-15 08:00'],
    ['Demande-moi vendredi comment s’est passé l’entretien', 'request 2026-01-16 18:00'],
    ['J’ai un examen vendredi', 'follow-up 2026-01-16 18:00'],
    ['Mon anniversaire est le 3 mai', 'date 2026-05-03 10:00'],
    ['Me lembre amanhã às 17h de ligar para o banco', 'request 2026-01-15 17:00'],
    ['Me pergunte na sexta como foi a entrevista', 'request 2026-01-16 18:00'],
    ['Tenho uma prova na sexta-feira', 'follow-up 2026-01-16 18:00'],
    ['Meu aniversário é no dia 3 de maio', 'date 2026-05-03 10:00'],
    ['Erinnere mich am 24.12. um 18 Uhr an die Geschenke', 'request 2026-12-24 18:00'],
    ['Erinnere mich am Freitag um halb neun an die Miete', 'request 2026-01-16 08:30'],
    ['Erinnere mich morgen um zehn vor acht an die Miete', 'request 2026-01-15 07:50'],
    ['Erinnere mich morgen um Viertel nach acht an die Miete', 'request 2026-01-15 08:15'],
    ['Erinnere mich in zweieinhalb Stunden an die Miete', 'request 2026-01-14 17:50'],
    ['Erinnere mich nächste Woche Mittwoch an die Miete', 'request 2026-01-21 10:00'],
    ['Erinnere mich am Montag in zwei Wochen an die Miete', 'request 2026-01-26 10:00'],
    ['Erinnere mich morgen Mittag an die Miete', 'request 2026-01-15 12:00'],
    ['Erinnere mich an Weihnachten an die Miete', 'request 2026-12-25 10:00'],
    ['Erinnere mich in einer Viertelstunde an die Miete', 'request 2026-01-14 15:35'],
    ['Rappelle-moi dans un quart d’heure d’appeler la banque', 'request 2026-01-14 15:35'],
    ['Recuérdame en un cuarto de hora llamar al banco', 'request 2026-01-14 15:35'],
    ['Me lembre daqui a um quarto de hora de ligar para o banco', 'request 2026-01-14 15:35'],
    ['Erinnere mich heute in einer Woche an die Miete', 'request 2026-01-21 10:00'],
    ['Erinnere mich am ersten Montag im März an die Miete', 'request 2026-03-02 10:00'],
    ['Erinnere mich am letzten Freitag im März an die Miete', 'request 2026-03-27 10:00'],
    ['Erinnere mich am 24. an die Miete', 'request 2026-01-24 10:00'],
    ['Erinnere mich um 17 Uhr 30 an die Miete', 'request 2026-01-14 17:30'],
    ['Rappelle-moi le premier lundi de mars d’appeler la banque', 'request 2026-03-02 10:00'],
    ['Rappelle-moi le dernier vendredi de mars d’appeler la banque', 'request 2026-03-27 10:00'],
    ['Rappelle-moi le 24 d’appeler la banque', 'request 2026-01-24 10:00'],
    ['Recuérdame el primer lunes de marzo llamar al banco', 'request 2026-03-02 10:00'],
    ['Recuérdame el último viernes de marzo llamar al banco', 'request 2026-03-27 10:00'],
    ['Recuérdame el día 24 llamar al banco', 'request 2026-01-24 10:00'],
    ['Me lembre na primeira segunda-feira de março de ligar para o banco', 'request 2026-03-02 10:00'],
    ['Me lembre na última sexta-feira de março de ligar para o banco', 'request 2026-03-27 10:00'],
    ['Me lembre dia 24 de ligar para o banco', 'request 2026-01-24 10:00'],
    ['Mein Geburtstag ist am 3.5.', 'date 2026-05-03 10:00'],
    ['Mein Geburtstag ist am 3.5.1990', 'date 2026-05-03 10:00'],
    ['Rappelle-moi dans 1h30 d’appeler la banque', 'request 2026-01-14 16:50'],
    ['Rappelle-moi demain à huit heures du soir d’appeler la banque', 'request 2026-01-15 20:00'],
    ['Rappelle-moi demain à 8h du soir d’appeler la banque', 'request 2026-01-15 20:00'],
    ['Rappelle-moi à deux heures du matin de dormir', 'request 2026-01-15 02:00'],
    ['Rappelle-moi demain à une heure et demie de manger', 'request 2026-01-15 13:30'],
    ['Rappelle-moi demain à une heure de manger', 'request 2026-01-15 13:00'],
    ['Recuérdame mañana a la una llamar al banco', 'request 2026-01-15 13:00'],
    ['Erinnere mich morgen um eins an die Bank', 'request 2026-01-15 13:00'],
    ['Rappelle-moi dans deux heures et demie d’appeler la banque', 'request 2026-01-14 17:50'],
    ['Rappelle-moi demain à neuf heures et demie d’appeler la banque', 'request 2026-01-15 09:30'],
    ['Rappelle-moi demain à midi d’appeler la banque', 'request 2026-01-15 12:00'],
    ['Rappelle-moi dans quinze jours d’appeler la banque', 'request 2026-01-28 10:00'],
    ['Rappelle-moi lundi en quinze d’appeler la banque', 'request 2026-01-26 10:00'],
    ['Rappelle-moi à Noël d’appeler la banque', 'request 2026-12-25 10:00'],
    ['Recuérdame mañana a las nueve y media llamar al banco', 'request 2026-01-15 09:30'],
    ['Recuérdame mañana a las nueve menos cuarto llamar al banco', 'request 2026-01-15 08:45'],
    ['Recuérdame mañana a las ocho de la tarde llamar al banco', 'request 2026-01-15 20:00'],
    ['Recuérdame en una hora y media llamar al banco', 'request 2026-01-14 16:50'],
    ['Recuérdame en Navidad llamar al banco', 'request 2026-12-25 10:00'],
    ['Me lembre amanhã às nove e meia de ligar para o banco', 'request 2026-01-15 09:30'],
    ['Me lembre amanhã às oito da noite de ligar para o banco', 'request 2026-01-15 20:00'],
    ['Me lembre daqui a uma hora e meia de ligar para o banco', 'request 2026-01-14 16:50'],
    ['Me lembre daqui a meia hora de ligar para o banco', 'request 2026-01-14 15:50'],
    ['Me lembre segunda que vem de ligar para o banco', 'request 2026-01-19 10:00'],
  ])('are noticed: %s', (text, expected) => {
    expect(notice(text)).toEqual([expected]);
  });

  it.each([
    ['Ich frage dich am Freitag, wie es war.', 'promise 2026-01-16 18:00'],
    ['Te preguntaré el viernes cómo te fue.', 'promise 2026-01-16 10:00'],
    ['Je te demanderai vendredi comment ça s’est passé.', 'promise 2026-01-16 18:00'],
    ['Vou te perguntar na sexta como foi.', 'promise 2026-01-16 18:00'],
  ])('are promised: %s', (text, expected) => {
    expect(notice(text, 'companion')).toEqual([expected]);
  });

  it.each([
    'Erinnere mich nicht daran',
    'Vielleicht habe ich am Freitag eine Prüfung',
    'Meine Chefin fragt mich morgen, wie es war',
    'Er erinnert mich morgen an den Zahnarzt',
    'No me recuerdes eso mañana',
    'Quizás tengo un examen el viernes',
    'Mi jefa me pregunta mañana cómo fue',
    'Ne me rappelle pas ça demain',
    'Peut-être que j’ai un examen vendredi',
    'J’ai un entretien à deux heures de route',
    'Voy a llevar a las dos niñas a mi partido',
    'Não me lembre disso amanhã',
    'Talvez tenho uma prova na sexta',
  ])('are not made of refusals, doubts and what others do: %s', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it.each([
    [
      'Erinnere mich morgen an die Miete und frag mich am Freitag, wie die Reise war.',
      ['request 2026-01-15 10:00', 'request 2026-01-16 18:00'],
    ],
    [
      'Rappelle-moi demain de payer le loyer et demande-moi vendredi comment s’est passé l’entretien.',
      ['request 2026-01-15 10:00', 'request 2026-01-16 18:00'],
    ],
  ])('are as many as a sentence asks for: %s', (text, expected) => {
    expect(notice(text)).toEqual(expected);
  });

  it('are told in the words that were used', () => {
    const [reason] = noticeReasons(
      { person: [{ text: 'Hallo! Erinnere mich morgen an Mama.', saidAt: SAID_AT }], companion: [] },
      ZONE,
    );
    expect(reason?.about).toBe('Erinnere mich morgen an Mama.');
  });
});
