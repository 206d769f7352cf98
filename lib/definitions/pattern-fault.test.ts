import { expect, test } from 'vitest'
import { textPattern } from './text-pattern'

const reasonOf = (pattern: string): string => {
  try {
    textPattern(pattern)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  ['[a-z', 'invalid at "[a-z": a "[" is not closed by "]"'],
  ['(a', 'invalid at "(a": a "(" is not closed by ")"'],
  ['a)', 'invalid at "a)": a ")" closes no "("'],
  ['*a', /^invalid at "\*": nothing stands before it/],
  ['a**', /^invalid at "\*\*": what is repeated already/],
  ['a{2,1}', /^invalid at "\{2,1\}": repetitions are/],
  ['[z-a]', /^invalid at "z-a": this is no range/],
  ['\\k', /^invalid at "\\\\k": this escape is not known/],
  ['a\\', 'invalid: it ends with a backslash that escapes nothing'],
  ['(?<n', /^invalid at "\(\?<n": a named group is/],
  ['(?=x)', /^invalid at "\(\?=": this kind of group is not known/],
])('the refusal of %s says what is wrong with it', (pattern, reason) =>
  expect(reasonOf(pattern)).toEqual(
    typeof reason === 'string' ? reason : expect.stringMatching(reason),
  ),
)
