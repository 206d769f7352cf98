import { costOf, type OperatorName } from '@/lib/definitions/operators'
import type { Resolved } from './resolved'

/** The number of tests in conditions, and their total cost in tests of a number. */
export type Weight = { tests: number; weight: number }

const NATURAL_COST = 30
const JSON_COST = 20
/** This many values of a list cost as much as another test. */
const LIST_VALUES = 50
/** The part of the further tests of an "and" that runs: the first failing test ends it. */
const FURTHER_OF_AND = 0.1
/** PostgreSQL's `cpu_operator_cost`, and the cost of a record apart from its tests. */
const TEST_COST = 0.0025
const RECORD_COST = 0.1

/** The weight of a list of conditions, all of which must hold, for one record. */
export const weighConditions = (conditions: readonly Resolved[]): Weight =>
  combine('and', conditions)

function combine(logic: 'and' | 'or' | 'not', conditions: readonly Resolved[]): Weight {
  const parts = conditions.map((condition) =>
    condition.type === 'test' ? weighTest(condition) : combine(condition.type, condition.of),
  )
  const tests = sum(parts.map((part) => part.tests))
  const weight = sum(parts.map((part) => part.weight))
  const most = Math.max(0, ...parts.map((part) => part.weight))
  return { tests, weight: logic === 'or' ? weight : most + FURTHER_OF_AND * (weight - most) }
}

function weighTest({ field, operator, values }: Resolved & { type: 'test' }): Weight {
  const isJson = field.kind === 'json' || field.kind === 'object' || field.kind === 'array'
  const isNatural = field.kind === 'text' && ORDERING.has(operator)
  const base = Math.max(costOf(operator), isNatural ? NATURAL_COST : 1, isJson ? JSON_COST : 1)
  return { tests: 1, weight: base * (1 + Math.floor(values.length / LIST_VALUES)) }
}

const ORDERING: ReadonlySet<OperatorName> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])

/**
 * The real cost of a search in the planner's units (about 10 µs each), from the planner's estimate.
 * The planner takes all tests for equally cheap, so its part for tests is replaced by their weight.
 */
export function realCost(planned: number, { tests, weight }: Weight): number {
  if (tests === 0) return planned
  const part = (tests * TEST_COST) / (tests * TEST_COST + RECORD_COST)
  return planned * (1 + part * Math.max(0, weight / tests - 1))
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
