import { around } from '@/lib/around'
import { type Actor, can } from '@/lib/auth/rights'
import { currentBudget, whyStopped, withBudget } from '@/lib/db/budget'
import { costOf, isPattern, type OperatorName } from '@/lib/definitions/operators'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { withSlot } from '@/lib/load/gates'
import type { SearchTarget } from '@/lib/registry/target'
import { explainMatches } from './count-matches'
import type { Matching } from './points'
import type { Resolved, ResolvedSearch } from './resolved'
import { figuresOf } from './tables-read'
import { asksHidden, hasWords } from './text-search'

/** Conditions below this weight are not checked with the planner: the time limit is enough. */
const LIGHT_WEIGHT = 600
/** From this cost on, about a second, only a few searches run at the same time. */
const COSTLY = 100_000

/** On the embedded database, all other requests wait for its one connection in the meantime. */
const YIELDS_AFTER_MS = 1_000

/**
 * Runs statements that look for records by conditions, within a slot and the time limit. Throws `unavailable` that says
 * what to narrow, and `invalid_input` for conditions that would cost more than `MAX_SEARCH_COST`,
 * unless `actor` has the right `system:read`.
 */
export function matchRecords<T>(
  deps: Deps,
  input: Matching,
  work: (source: Deps) => Promise<T>,
): Promise<T> {
  const { target, search, actor, changes = false } = input
  const budget = currentBudget()
  const signal = () => whyStopped(budget)
  const slow = () => tooSlow(budget.exceeded(), withoutRule(input), changes)
  // A change is not given up for others: repeated, it would never come to its end.
  const limits = changes ? {} : { yieldsAfterMs: YIELDS_AFTER_MS }
  const run = (kind: 'search' | 'costly search') =>
    withSlot(deps, kind, { actor, signal }, () => around(deps, 'matchRecords', input, work))
  return withBudget({ exceeded: slow, ...limits }, () =>
    isLight(search) ? run('search') : kindOf(deps, target, search, actor).then(run),
  )
}

/** Whether the conditions cost so little that the planner need not be asked. */
const isLight = ({ where }: Matching['search'], { weight } = weighConditions(where)): boolean =>
  weight < LIGHT_WEIGHT && !where.some(hasWords)

/** Throws as `matchRecords` does for conditions that cost too much. */
export async function kindOf(
  deps: Pick<Deps, 'db' | 'settings'>,
  target: SearchTarget,
  search: Matching['search'],
  actor: Actor | null,
): Promise<'search' | 'costly search'> {
  const { where, joins, count, group } = search
  const weight = weighConditions(where)
  if (isLight(search, weight)) return 'search'
  const planned = await explainMatches(deps.db, target, where, joins)
  const scans = count === 'exact' && !group ? 2 : 1
  const cost = scans * realCost(planned.cost, weight)
  const limit = deps.settings.MAX_SEARCH_COST
  // The planner's figures would tell of hidden rows and texts.
  const isOpen = !target.rule && !where.some(asksHidden)
  if (cost > limit && isOpen && !(actor && can(actor, 'system:read')))
    throw tooCostly(cost / limit, search)
  return cost > COSTLY ? 'costly search' : 'search'
}

const tooCostly = (times: number, search: Matching['search']) =>
  new AppError(
    'invalid_input',
    `The conditions would cost ${times < 10 ? times.toFixed(1) : Math.round(times)} times what a search may cost. ${howToNarrow(search)}`,
  )

/** What the request itself looks for: its rule is not told to the reader. */
const withoutRule = ({ target: { rule }, search }: Matching): Matching['search'] => ({
  ...search,
  where: search.where.filter((condition) => !rule?.where.includes(condition)),
  joins: search.joins?.filter((join) => !rule?.joins.includes(join)),
})

/** The same refusal, with advice on what to narrow. */
function tooSlow(
  { code, options }: AppError,
  search: Matching['search'],
  changes: boolean,
): AppError {
  const what = changes
    ? 'The change took too long and was stopped; nothing was changed.'
    : 'The search took too long and was stopped.'
  return new AppError(code, `${what} ${howToNarrow(search)}`, options)
}

/** The number of tests in conditions, and their total cost in tests of a number. */
export type Weight = { tests: number; weight: number }

const NATURAL_COST = 30
const JSON_COST = 20
/** To look for the records that refer to one, by an index. */
const RELATED_COST = 200
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
  const parts = conditions.map(weigh)
  const tests = sum(parts.map((part) => part.tests))
  const weight = sum(parts.map((part) => part.weight))
  const most = Math.max(0, ...parts.map((part) => part.weight))
  return { tests, weight: logic === 'or' ? weight : most + FURTHER_OF_AND * (weight - most) }
}

function weigh(condition: Resolved): Weight {
  if (condition.type === 'test') return weighTest(condition)
  // The planner knows what the functions of a text search cost.
  if (condition.type === 'words') return { tests: 0, weight: 0 }
  if (condition.type !== 'related') return combine(condition.type, condition.of)
  const { tests, weight } = combine('and', condition.of)
  return { tests: tests + 1, weight: RELATED_COST + weight }
}

function weighTest({ field, operator, values }: Resolved & { type: 'test' }): Weight {
  const isJson = isJsonKind(field.kind)
  const isNatural = isTextKind(field.kind) && ORDERING.has(operator)
  if (field.figure) return { tests: 1, weight: figuresOf(field).length * RELATED_COST }
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

/** From this page on, the skipped records cost time. */
export const DEEP_OFFSET = 10_000
const MANY_TESTS = 20

type Parts = Pick<ResolvedSearch, 'where'> &
  Partial<Pick<ResolvedSearch, 'joins' | 'sort' | 'count' | 'page' | 'size' | 'after' | 'group'>>

/** How to narrow a search that costs too much, the most expensive part first. */
export function howToNarrow(search: Parts): string {
  const { where, joins = [], sort = [], count, page = 0, size = 0, after, group } = search
  const tests = testsOf(where)
  const patterns = tests.filter(({ operator }) => isPattern(operator))
  const slowSort = sort.find(({ field }) => !field.indexed)
  const advice = [
    patterns.length > 0 && `use fewer conditions with patterns (${named(patterns)})`,
    tests.length - patterns.length >= MANY_TESTS && `use fewer of the ${tests.length} conditions`,
    joins.length > 0 && 'leave out fields of referred records',
    group && 'group by fewer fields',
    slowSort && `sort by a field with an index instead of "${slowSort.field.name}"`,
    !after && page * size >= DEEP_OFFSET && 'continue with a cursor instead of a page number',
    count === 'exact' && !group && 'ask for "count": "estimated" or "none"',
    'add a condition on a field with an index',
  ]
  return `To narrow it: ${advice
    .filter((part) => typeof part === 'string')
    .slice(0, 3)
    .join('; ')}`
}

const testsOf = (conditions: readonly Resolved[]): (Resolved & { type: 'test' })[] =>
  conditions.flatMap((condition) =>
    condition.type === 'test' ? [condition] : testsOf(condition.of),
  )

/** `400 times icontains on "name"`, of the most frequent test. */
function named(tests: (Resolved & { type: 'test' })[]): string {
  const counts = new Map<string, number>()
  for (const { operator, field } of tests) {
    const name = `${operator} on "${field.name}"`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  if (!most) return ''
  return most[1] > 1 ? `${most[1]} times ${most[0]}` : most[0]
}
