/** Where a text stops being JSON; `line` and `column` count from 1, `position` from 0. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'

  constructor(
    readonly reason: string,
    readonly position: number,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} at line ${line}, column ${column}`)
  }
}

/** The error at `position` of `text`. */
export function syntaxError(text: string, position: number, reason: string): JsonSyntaxError {
  let line = 1
  let lineStart = 0
  for (
    let end = text.indexOf('\n');
    end >= 0 && end < position;
    end = text.indexOf('\n', lineStart)
  ) {
    line++
    lineStart = end + 1
  }
  return new JsonSyntaxError(reason, position, line, position - lineStart + 1)
}

/** The text has more values, or more properties in one object, than the caller allows. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError'

  constructor(limit: number, what: 'values' | 'properties in one object') {
    super(`more than ${limit.toLocaleString('en')} ${what}`)
  }
}
