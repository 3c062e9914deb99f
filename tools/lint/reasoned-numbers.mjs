/** Tells whether a value is a number, or is computed of numbers and names. */
function isNumber(node) {
  if (node.type === 'UnaryExpression') return isNumber(node.argument);
  if (node.type === 'BinaryExpression') {
    const sides = [node.left, node.right];
    return sides.some(isNumber) && sides.every((side) => isNumber(side) || side.type === 'Identifier');
  }
  return node.type === 'Literal' && typeof node.value === 'number';
}

const declarationOf = (statement) =>
  statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
const isConstant = (statement) => declarationOf(statement)?.kind === 'const';

/** Reports numbers by name at the top of a file that have no comment above, beside, or above the group they stand in. */
export const reasonedNumbers = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program({ body }) {
      const { sourceCode } = context;
      const comments = sourceCode.getAllComments();
      let isReasoned = false;
      for (const [index, statement] of body.entries()) {
        const { start, end } = statement.loc;
        const above = body[index - 1];
        const isOfGroup = above && isConstant(above) && above.loc.end.line === start.line - 1;
        const hasComment = comments.some(
          ({ loc }) => loc.end.line === start.line - 1 || loc.start.line === end.line,
        );
        isReasoned = hasComment || (isOfGroup && isReasoned);
        if (!isConstant(statement) || isReasoned) continue;
        if (declarationOf(statement).declarations.some(({ init }) => init && isNumber(init))) {
          context.report({
            node: statement,
            message: 'Say why this number: what it balances, or who sets it.',
          });
        }
      }
    },
  }),
};
