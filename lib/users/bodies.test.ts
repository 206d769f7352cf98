import { afterEach, expect, test, vi } from 'vitest'
import { strongPassword } from './bodies'

afterEach(() => void vi.restoreAllMocks())

const faultsOf = (password: string) =>
  strongPassword.safeParse(password).error?.issues.map(({ message }) => message) ?? []

test('a password has 128 characters at most, however each was typed', () => {
  const typed = '\u03b1\u0313\u0300\u0345'
  expect(typed.normalize('NFKC')).toHaveLength(1)
  expect(faultsOf(`${typed.repeat(127)}x`)).toEqual([])
  expect(faultsOf(`${typed.repeat(128)}x`)).toEqual(['Use at most 128 characters'])
})

test('a long text is refused before it is normalised, which takes the square of its marks', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  expect(faultsOf(`x${'\u0300\u0323'.repeat(15_000)}`)).toEqual(['Use at most 128 characters'])
  expect(normalize).not.toHaveBeenCalled()
})
