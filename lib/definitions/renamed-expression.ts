import { tokensOf } from './computed/tokens'

/** The expression of a computed field with the present names of the fields; functions keep theirs. */
export function renamedExpression(text: string, nameOf: (field: string) => string): string {
  const tokens = tokensOf(text)
  let renamed = ''
  let end = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || tokens[at + 1]?.text === '(') continue
    renamed += text.slice(end, token.at) + nameOf(token.text)
    end = token.at + token.text.length
  }
  return renamed + text.slice(end)
}
