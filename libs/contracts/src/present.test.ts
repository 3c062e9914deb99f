import { expect, it } from '@jest/globals';
import { firstOf, lastOf, present } from './present.js';

it('takes what is there, whatever it is worth', () => {
  expect([present(0), present(''), present(false)]).toEqual([0, '', false]);
  expect([firstOf([1, 2, 3]), lastOf([1, 2, 3])]).toEqual([1, 3]);
});

it('refuses to go on without what is always there', () => {
  expect(() => present(new Map<string, number>().get('a'))).toThrow(TypeError);
  expect(() => firstOf([])).toThrow(TypeError);
  expect(() => lastOf([])).toThrow(TypeError);
});
