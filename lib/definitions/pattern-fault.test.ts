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
  ['[a-z', 'wrong at "[a-z": a "[" is not closed by "]"'],
  ['(a', 'wrong at "(a": a "(" is not closed by ")"'],
  ['a)', 'wrong at "a)": a ")" closes no "("'],
  ['*a', /^wrong at "\*": nothing stands before it/],
  ['a**', /^wrong at "\*\*": what is repeated already/],
  ['a{2,1}', /^wrong at "\{2,1\}": repetitions are/],
  ['[z-a]', /^wrong at "z-a": this is no range/],
  ['\\k', /^wrong at "\\\\k": this escape is not known/],
  ['a\\', 'wrong: it ends with a backslash that escapes nothing'],
  ['(?<n', /^wrong at "\(\?<n": a named group is/],
  ['(?=x)', /^wrong at "\(\?=": this kind of group is not known/],
])('the refusal of %s says what is wrong with it', (pattern, reason) =>
  expect(reasonOf(pattern)).toEqual(
    typeof reason === 'string' ? reason : expect.stringMatching(reason),
  ),
)
