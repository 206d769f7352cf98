import { PlansRefusedError } from '@/lib/promotion/install-plugins'
import { Failure } from '../failure'
import { planLines } from '../install'
import type { Io } from '../io'

/** An error with the plans that it is about, if there are any, as a message. */
export function withPlans(io: Io, error: unknown): unknown {
  if (!(error instanceof PlansRefusedError)) return error
  const { plans, message, advice } = error
  const lines = [...plans.flatMap((plan) => planLines(io, plan)), message, advice]
  return new Failure(lines.filter((line) => line !== '').join('\n'))
}
