// A rule of names for oxlint: a value has the name of what it is (`page`, `match`), not of what was done to it.

const PARTICIPLES = new Set(
  (
    'asked answered begun broken brought changed chosen closed drawn dropped each expected failed fetched found given heard held hidden kept known ' +
    'linked listed lost made meant named opened painted paired parsed put quoted received refused said seen sent settled shared shown spoken started ' +
    'taken told typed wanted watched written'
  ).split(' '),
)

/** Yield the names that a pattern makes. `const { begun } = frame` takes the name of a field, so it makes none. */
function* namesIn(pattern) {
  if (pattern?.type === 'Identifier') yield pattern
  else if (pattern?.type === 'AssignmentPattern') yield* namesIn(pattern.left)
  else if (pattern?.type === 'RestElement') yield* namesIn(pattern.argument)
  else if (pattern?.type === 'ArrayPattern') for (const part of pattern.elements) yield* namesIn(part)
  else if (pattern?.type === 'ObjectPattern')
    for (const part of pattern.properties) yield* namesIn(part.shorthand ? null : (part.value ?? part))
}

function create(context) {
  const check = (...patterns) => {
    for (const pattern of patterns)
      for (const node of namesIn(pattern))
        if (PARTICIPLES.has(node.name))
          context.report({ node, message: `"${node.name}" says what was done to the value: name what it is.` })
  }
  const checkFunction = ({ id, params }) => check(id, ...params)
  const checkMember = ({ key, computed }) => {
    if (!computed) check(key.type === 'PrivateIdentifier' ? { ...key, type: 'Identifier' } : key)
  }
  return {
    VariableDeclarator: ({ id }) => check(id),
    FunctionDeclaration: checkFunction,
    FunctionExpression: checkFunction,
    ArrowFunctionExpression: checkFunction,
    CatchClause: ({ param }) => check(param),
    PropertyDefinition: checkMember,
    MethodDefinition: checkMember,
  }
}

export default { meta: { name: 'penny' }, rules: { 'no-participles': { create } } }
