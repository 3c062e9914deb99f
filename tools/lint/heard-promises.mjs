const COMBINERS = /^(?:all|allSettled|any|race)$/;

/** Names the functions of its own file, or methods of its own class, by which an expression makes its promise. */
function makersOf(node) {
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(makersOf);
  if (node?.type === 'LogicalExpression') return makersOf(node.right);
  if (node?.type !== 'CallExpression') return [];
  const { type, name, object, property } = node.callee;
  if (type === 'Identifier') return [name];
  if (object?.type === 'ThisExpression') return [`this.${property.name}`];
  // `ask().catch(…)` is made by `ask`.
  return makersOf(object);
}

/**
 * Reports a promise that is begun beside others by a function that is not `async`. What such a function throws before it
 * has a promise leaves those that were begun before it: nobody hears them fail, which ends the process.
 */
export const heardPromises = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const notAsync = new Set();
    const begun = [];
    const note = (name, { async, generator, body }) => body && !async && !generator && notAsync.add(name);
    return {
      FunctionDeclaration: (node) => note(node.id?.name, node),
      'VariableDeclarator[init.type=/^(ArrowFunction|Function)Expression$/]': ({ id, init }) =>
        note(id.name, init),
      MethodDefinition: ({ key, value }) => note(`this.${key.name}`, value),
      "CallExpression[callee.object.name='Promise'][arguments.0.type='ArrayExpression']"(node) {
        if (COMBINERS.test(node.callee.property.name)) begun.push(...node.arguments[0].elements.slice(1));
      },
      'Program:exit'() {
        for (const node of begun)
          for (const name of makersOf(node).filter((maker) => notAsync.has(maker)))
            context.report({
              node,
              message: `Make ${name} async: what it throws at once leaves the promises before it unheard.`,
            });
      },
    };
  },
};
