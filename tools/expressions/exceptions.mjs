/**
 * Places where an expression is built from what is known only while running. The check can't see those: the
 * reason of each names the bound of the text it reads. An entry that is no longer needed fails the check.
 * @type {readonly { file: string, code: string, reason: string }[]}
 */
export const BUILT_LATER = [
  {
    file: 'libs/testing/src/qdrant/openapi-checks.ts',
    code: 'pathPattern: new RegExp(',
    reason: 'Built of the paths of the OpenAPI file that the double ships with; tests alone run it.',
  },
  {
    file: 'libs/reading/src/languages/read-as-english.ts',
    code: 'new RegExp(',
    reason:
      'Built of the glossaries beside the source, with the first text of their language. They read 4,000 characters at most, find twelve forms in all, and slots are of 60 characters; a test holds every pattern against its own words, repeated.',
  },
];
