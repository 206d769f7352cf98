import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN } from '@/lib/users/contract'

export const STRENGTHS = [
  'Too short',
  'Very weak',
  'Weak',
  'Fair',
  'Strong',
  'Very strong',
] as const
export type Strength = (typeof STRENGTHS)[number]

// What is longer is strong by its length, and would take long to look at.
const LOOKED_AT = 72

let estimator: ZxcvbnFactory | undefined

/** How hard the password is to guess. Heavy with its word list: import it when it is needed. */
export function strengthOf(password: string): Strength {
  if (password.length < PASSWORD_MIN) return 'Too short'
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  const { score } = estimator.check(password.slice(0, LOOKED_AT))
  return STRENGTHS[score + 1] ?? 'Very weak'
}
