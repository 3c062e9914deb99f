import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { namedValues } from './named-values.js';

const read = (text: string, value: z.ZodType<string> = z.string().min(1)) =>
  namedValues(value).safeParse(text);
const problemsOf = (text: string, value?: z.ZodType<string>) =>
  read(text, value).error?.issues.map(({ message }) => message);

describe('namedValues', () => {
  it('reads pairs; a value may hold an equals sign', () => {
    expect(read(' lab=http://a/v1 , cloud=k=y=,').data).toEqual({ lab: 'http://a/v1', cloud: 'k=y=' });
  });

  it('tells what is wrong without the value, which may be a key', () => {
    expect(problemsOf('sk-secret,Lab=x,a=1,a=2,b=')).toEqual([
      'entry 1 is not name=value, with a name of lower-case letters, digits and -',
      'entry 2 is not name=value, with a name of lower-case letters, digits and -',
      'entry 4 names a a second time',
      'entry 5 gives b a value that can not be used',
    ]);
    expect(problemsOf('lab=nowhere', z.url())).toEqual(['entry 1 gives lab a value that can not be used']);
  });

  it('takes no name that objects have of themselves', () => {
    expect(problemsOf('constructor=x')).toHaveLength(1);
  });
});
