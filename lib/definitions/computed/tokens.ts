export type Token = { kind: 'number' | 'text' | 'name' | 'sign'; text: string; at: number }

const TOKENS: readonly [Token['kind'] | null, RegExp][] = [
  [null, /\s+/y],
  ['number', /\d+(\.\d+)?/y],
  ['text', /'(?:[^']|'')*'/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['sign', /\|\||[-+*/(),]/y],
]

/** The parts of an expression; throws `ExpressionError`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const [kind, found] = match(text, at)
    if (found === null) throw new ExpressionError(`"${text[at]}" is not understood`, at)
    if (kind) tokens.push({ kind, text: found, at })
    at += found.length
  }
  return tokens
}

function match(text: string, at: number): [Token['kind'] | null, string | null] {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) return [kind, found]
  }
  return [null, null]
}

/** Why an expression can't be used; `at` counts characters from 0. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(`${message} (at character ${at + 1})`)
  }
}
