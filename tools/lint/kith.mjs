import { heardPromises } from './heard-promises.mjs';
import { plainComments } from './plain-comments.mjs';
import { reasonedNumbers } from './reasoned-numbers.mjs';

/** Makes a rule that reports with `message` whatever `selector` finds. */
const refuse = (selector, message) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

/** Kith's own rules, as a plugin of oxlint. */
export default {
  meta: { name: 'kith' },
  rules: {
    'heard-promises': heardPromises,
    'plain-comments': plainComments,
    'reasoned-numbers': reasonedNumbers,
    // The keyword, because it also serves a constructor's parameters.
    'one-kind-of-private': refuse('PrivateIdentifier', 'Say `private name`, not `#name`.'),
    // Times from outside are bounded: a year 10000 that is stored fails whoever reads it.
    'bounded-times': refuse(
      "CallExpression[callee.object.object.name='z'][callee.object.property.name='iso'], MemberExpression[object.object.name='z'][object.property.name='coerce'][property.name='date'], CallExpression[callee.object.name='z'][callee.property.name=/^(date|stringFormat)$/]",
      'Read times with IsoTime or IsoDay of @kith/contracts, which are bounded.',
    ),
    // An id in capitals is the same to Postgres, and another to an index, a cache and the audit log.
    'one-case-of-ids': refuse(
      "CallExpression[callee.object.name='z'][callee.property.name=/^(uuid|guid)/]",
      'Read ids with Uuid of @kith/contracts, or with one of its kinds.',
    ),
    'named-durations': refuse(
      "Literal[raw=/^(86_?400(_?000)?|3_?600_?000)$/], BinaryExpression[operator='*'][right.raw=/^60/]:matches([left.raw='60'], [left.right.raw='60'])",
      'Write durations with DAY_MS or HOUR_MS of @kith/contracts.',
    ),
  },
};
