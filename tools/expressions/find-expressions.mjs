import ts from 'typescript';

/**
 * The regular expressions of one source text: literals as they stand, and the places where others are built.
 * A string handed to `match`, `matchAll` or `search` becomes an expression too, so it is a place as well.
 * @returns {{ line: number, column: number, source?: string, flags?: string, isImplicit?: boolean }[]}
 */
export function findExpressions(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const placeOf = (node) => {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
    return { line: line + 1, column: character + 1 };
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ ...placeOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isRegExp(node.expression)) {
      found.push(placeOf(node));
    }
    if (ts.isCallExpression(node) && isMatch(node.expression) && isText(node.arguments[0])) {
      found.push({ ...placeOf(node), isImplicit: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const isRegExp = (node) => ts.isIdentifier(node) && node.text === 'RegExp';
const isMatch = (node) =>
  ts.isPropertyAccessExpression(node) && ['match', 'matchAll', 'search'].includes(node.name.text);
const isText = (node) =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));
