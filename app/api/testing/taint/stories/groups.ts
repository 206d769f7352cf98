import type { Json, JsonObject } from '@/lib/values/json'
import { pathOf, pathsOf, valueAt } from '../conditions'
import { knownPaths, type Story, statusFor } from '../story'
import { tokensIn } from '../world'
import { isComparable } from './reads'
import { matchesOf, randomSearch, statusOf } from './searching'

const FUNCTIONS = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']

/** Groups with their figures, compared as a set. */
export const groups: Story = async function* (scene) {
  const { random, model } = scene
  const search = { ...randomSearch(scene), sort: [], fields: [], expand: [], page: 0, size: 1000 }
  const { entity, query } = search
  const paths = random.chance(75) ? knownPaths(model, entity) : pathsOf(entity)
  const scalar = paths.filter(({ kind }) => kind !== 'json')
  const by = random.some(scalar, 2)
  const numbers = paths.filter(({ kind }) => kind === 'number')
  const figures = random.some(numbers, 2).map(({ name }, n) => ({
    ...{ function: random.pick(FUNCTIONS), field: name, alias: `f${n}` },
  }))
  const aggregate = [{ function: 'COUNT', alias: 'n' }, ...figures]
  const value = (row: JsonObject, name: string) => valueAt(entity, row, name, model.findShown)
  const grouped = new Map<string, JsonObject[]>()
  for (const row of matchesOf(scene, search)) {
    const key = JSON.stringify(by.map(({ name }) => value(row, name)))
    grouped.set(key, [...(grouped.get(key) ?? []), row])
  }
  if (by.length === 0 && grouped.size === 0) grouped.set('[]', [])
  const expected = [...grouped].map(([key, rows]) => {
    const values = figures.map(({ function: name, field }) =>
      figureOf(
        name,
        rows.map((row) => value(row, field)),
      ),
    )
    return JSON.stringify([JSON.parse(key), rows.length, ...values])
  })
  // An average may look like the token of another record.
  for (const token of tokensIn(expected.join(' '))) scene.derived.add(token)
  const answer = yield {
    method: 'POST',
    path: `/api/entities/${entity.name}/search`,
    body: {
      query,
      groupBy: { fields: by.map(({ name }) => name), aggregate },
      pagination: { size: 1000 },
    },
  }
  const named = [...by, ...figures.flatMap(({ field }) => pathOf(entity, field) ?? [])]
  const own = statusFor(model, entity.name, named)
  const whole = statusOf(scene, search)
  const statuses = own && whole && combined(own, whole)
  if (!isComparable(scene, answer, statuses)) return
  const received = (answer.body.data as JsonObject[]).map((group) =>
    JSON.stringify([
      by.map(({ name }) => group[name] ?? null),
      group.n ?? null,
      ...figures.map(({ alias }) => rounded(group[alias] ?? null)),
    ]),
  )
  if (JSON.stringify(received.sort()) !== JSON.stringify(expected.sort()))
    scene.fault(`groups differ: received ${received.join()}, expected ${expected.join()}`)
}

const combined = (one: number[], other: number[]): number[] => {
  const both = [...new Set([...one, ...other])].filter((status) => status !== 200)
  return both.length > 0 ? both : [200]
}

function figureOf(name: string, values: Json[]): Json {
  const numbers = values.filter((value): value is number => typeof value === 'number')
  if (name === 'COUNT') return numbers.length
  if (numbers.length === 0) return null
  const sum = numbers.reduce((total, one) => total + one, 0)
  if (name === 'SUM') return rounded(sum)
  if (name === 'AVG') return rounded(sum / numbers.length)
  return name === 'MIN' ? Math.min(...numbers) : Math.max(...numbers)
}

const rounded = (value: Json): Json =>
  value === null ? null : Math.round(Number(value) * 1000) / 1000
