/** A syntax fault in words, by the parser's name for it. */
export const syntaxReason = (code: string): string => REASONS[code] ?? 'Not valid JSON'

const REASONS: Record<string, string> = {
  InvalidSymbol: 'Unexpected word',
  InvalidNumberFormat: 'Invalid number',
  PropertyNameExpected: 'Expected a property name in double quotes',
  ValueExpected: 'Expected a value',
  ColonExpected: 'Expected a colon',
  CommaExpected: 'Expected a comma',
  CloseBraceExpected: 'Expected a closing brace',
  CloseBracketExpected: 'Expected a closing bracket',
  EndOfFileExpected: 'Expected the end of the text',
  InvalidCommentToken: 'Comments are not allowed',
  UnexpectedEndOfString: 'Unterminated string',
  UnexpectedEndOfNumber: 'Unterminated number',
  InvalidUnicode: 'Invalid unicode escape',
  InvalidEscapeCharacter: 'Invalid escape',
  InvalidCharacter: 'Control characters must be escaped',
}
