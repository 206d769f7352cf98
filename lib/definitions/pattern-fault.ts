/** What RE2 says of a pattern, in plain words. */
const WORDS: Record<string, string> = {
  'missing closing ]': 'a "[" is not closed by "]"',
  'missing closing )': 'a "(" is not closed by ")"',
  'unexpected )': 'a ")" closes no "("',
  'missing argument to repetition operator':
    'nothing stands before it that could be repeated; write "\\" before it to find it as it is',
  'invalid nested repetition operator': 'what is repeated already can’t be repeated again',
  'invalid repeat count': 'repetitions are {n}, {n,} or {n,m}, from small to large, at most 1000',
  'invalid character class range': 'this is no range or class of characters',
  'invalid escape sequence': 'this escape is not known; write "\\\\" for a backslash',
  'trailing backslash at end of expression': 'it ends with a backslash that escapes nothing',
  'invalid named capture': 'a named group is (?P<name>…)',
  'invalid or unsupported Perl syntax':
    'this kind of group is not known; lookaround and back references are not supported',
}

const SHAPE = /^error parsing regexp: (.*?)(?:: `([\s\S]*)`)?$/
const MAX_SHOWN = 40

/** Why RE2 refuses a pattern; completes "The pattern is". Other errors are returned as they are. */
export function patternFault(error: unknown): unknown {
  const [, reason = '', part] = SHAPE.exec(error instanceof Error ? error.message : '') ?? []
  if (reason === '') return error
  const place = part === undefined ? '' : ` at ${JSON.stringify(part.slice(0, MAX_SHOWN))}`
  return new Error(`invalid${place}: ${WORDS[reason] ?? reason}`, { cause: error })
}
