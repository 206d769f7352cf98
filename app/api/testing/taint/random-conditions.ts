import type { Json } from '@/lib/values/json'
import type { Condition } from './actor'
import { lookupIn, type Path, valueAt } from './conditions'
import type { Random } from './random'
import type { Rows, WorldEntity, WorldKind } from './world'

const SCALAR = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'isnull', 'notnull']
const TEXTS = ['like', 'ilike', 'contains', 'icontains', 'starts', 'istarts', 'ends', 'iends']
const OPERATORS: Record<WorldKind, string[]> = {
  text: ['eq', 'ne', 'in', 'nin', 'isnull', 'notnull', 'gt', 'lte', ...TEXTS],
  number: SCALAR,
  date: SCALAR,
  json: ['eq', 'ne', 'in', 'isnull', 'notnull', 'contains', 'starts'],
}

/** Conditions about some of `paths`, with values that the records have, or nearly. */
export function randomConditions(
  random: Random,
  entity: WorldEntity,
  { paths, rows, max = 2 }: { paths: readonly Path[]; rows: Rows; max?: number },
): Condition[] {
  if (paths.length === 0) return []
  const value = (path: Path) => valueFor(random, entity, path, rows)
  const compared = (): Condition => comparison(random, random.pick(paths), value)
  const nested = (depth: number): Condition => {
    if (depth === 0 || random.chance(65)) return compared()
    const filters = Array.from({ length: 1 + random.below(3) }, () => nested(depth - 1))
    return { operator: random.pick(['and', 'or', 'not']), filters }
  }
  return Array.from({ length: random.below(max + 1) }, () => nested(2))
}

function comparison(random: Random, path: Path, valueFor: (path: Path) => Json): Condition {
  const operator = random.pick(OPERATORS[path.kind])
  const field = path.name
  const value = () => valueFor(path)
  if (operator === 'isnull' || operator === 'notnull') return { field, operator }
  if (operator === 'between') return { field, operator, value: [value(), value()] }
  if (operator === 'in' || operator === 'nin') return { field, operator, value: [value(), value()] }
  const one = value()
  if (!TEXTS.includes(operator)) return { field, operator, value: one }
  const text = String(one)
  const from = random.below(Math.max(1, text.length - 2))
  return { field, operator, value: text.slice(operator === 'starts' ? 0 : from, from + 4) || 'zq' }
}

/** One that some record has, whoever may see it. */
function valueFor(random: Random, entity: WorldEntity, path: Path, rows: Rows): Json {
  const all = rows[entity.name] ?? []
  const row = all.length > 0 ? random.pick(all) : undefined
  const found = row ? valueAt(entity, row, path.name, lookupIn(rows)) : null
  if (found !== null && typeof found !== 'object') return found
  return path.kind === 'number' ? 7 : path.kind === 'date' ? '1850-01-01' : 'zq'
}
