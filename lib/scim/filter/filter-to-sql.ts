import { type SQL, sql } from 'drizzle-orm'
import { findAttribute, type ResourceSchema } from '@/lib/scim/attributes'
import type { Comparison, Filter, FilterValue } from '@/lib/scim/parse-filter'
import { scimError } from '@/lib/scim/scim-error'
import { type AttributePlace, resolvePath } from '@/lib/scim/values/resolve-path'

/** What is compared: `text` in any case, `exact` in its own. */
export type FilterField = { type: 'text' | 'exact' | 'boolean' | 'instant'; value: SQL }

/** The values of an attribute as rows; `from` is a clause that ends with a condition, which another one follows. */
export type FilterRows = { from: SQL; field: (part: string) => FilterField }

/** Where the attributes of a resource are in SQL; null for those that it cannot filter by. */
export type FilterTarget = {
  schema: ResourceSchema
  fieldOf: (place: AttributePlace) => FilterField | null
  rowsOf: (place: AttributePlace) => FilterRows | null
}

type Operand =
  | { field: FilterField }
  | { rows: FilterRows; part: string | null; place: AttributePlace }
type Find = (path: string) => Operand

/**
 * A condition with all values as parameters; null stands for false, so that indexes serve. Throws `invalidFilter` for an unknown attribute, and for an operator or value that it does not take. */
export const filterToSql = (filter: Filter, target: FilterTarget): SQL =>
  compile(filter, (path) => {
    const place = resolvePath(path, target.schema)
    if (!place) throw unknown(path)
    if (place.attribute.multiValued) {
      const rows = target.rowsOf(place)
      if (!rows) throw unknown(path)
      return { rows, part: place.sub?.name ?? null, place }
    }
    const field = target.fieldOf(place)
    if (!field) throw unknown(path)
    return { field }
  })

function compile(filter: Filter, find: Find): SQL {
  switch (filter.op) {
    case 'and':
    case 'or':
      return joined(filter.of, filter.op, find)
    case 'not':
      return negated(compile(filter.of, find))
    case 'value':
      return anyRow(filter.path, filter.of, find)
    case 'pr':
      return present(find(filter.path))
    default:
      return comparison(filter, find(filter.path))
  }
}

/** What is null is not so. */
const negated = (condition: SQL): SQL => sql`not coalesce(${condition}, false)`

const joined = (of: Filter[], op: 'and' | 'or', find: Find): SQL =>
  sql`(${sql.join(
    of.map((part) => compile(part, find)),
    op === 'and' ? sql` and ` : sql` or `,
  )})`

function anyRow(path: string, of: Filter, find: Find): SQL {
  const operand = find(path)
  if ('field' in operand || operand.part !== null)
    throw invalid(`has conditions in brackets for "${shown(path)}", which has one value`)
  const { rows, place } = operand
  const condition = compile(of, (part) => {
    const sub = findAttribute(place.attribute.subAttributes ?? [], part)
    if (!sub) throw unknown(`${path}.${part}`)
    return { field: rows.field(sub.name) }
  })
  return sql`exists (select ${rows.from} and ${condition})`
}

const present = (operand: Operand): SQL =>
  'field' in operand
    ? sql`(${operand.field.value} is not null)`
    : sql`exists (select ${operand.rows.from} and ${operand.rows.field(operand.part ?? 'value').value} is not null)`

type Compared = Extract<Filter, { op: Comparison }>

function comparison({ op, path, value }: Compared, operand: Operand): SQL {
  if (op === 'ne') return negated(comparison({ op: 'eq', path, value }, operand))
  if (value === null) {
    if (op !== 'eq') throw invalid(`compares "${shown(path)}" with null by ${op}`)
    return sql`not ${present(operand)}`
  }
  if ('field' in operand) return compare(operand.field, op, value, path)
  const { rows, part } = operand
  return sql`exists (select ${rows.from} and ${compare(rows.field(part ?? 'value'), op, value, path)})`
}

type Asked = Exclude<Comparison, 'ne'>

function compare(field: FilterField, op: Asked, value: FilterValue, path: string): SQL {
  if (field.type === 'boolean') return compareBoolean(field.value, op, value, path)
  if (typeof value !== 'string') throw invalid(`compares "${shown(path)}" with what is no text`)
  if (/[\0\p{Surrogate}]/u.test(value)) throw invalid('holds a character that cannot be stored')
  if (field.type === 'instant') return compareInstant(field.value, op, value, path)
  const fold = (text: SQL) => (field.type === 'text' ? sql`lower(${text})` : text)
  return compareText(fold(field.value), op, fold(sql`${value}::text`), path)
}

function compareText(text: SQL, op: Asked, value: SQL, path: string): SQL {
  switch (op) {
    case 'eq':
      return sql`${text} = ${value}`
    case 'co':
      return sql`strpos(${text}, ${value}) > 0`
    case 'sw':
      return sql`starts_with(${text}, ${value})`
    case 'ew':
      return sql`right(${text}, length(${value})) = ${value}`
    default:
      throw invalid(`compares the text "${shown(path)}" by ${op}, which is for times`)
  }
}

function compareBoolean(field: SQL, op: Asked, value: FilterValue, path: string): SQL {
  const word = String(value).toLowerCase()
  if (op !== 'eq' || (word !== 'true' && word !== 'false'))
    throw invalid(`compares "${shown(path)}" with other than true or false`)
  return sql`${field} = ${word === 'true'}`
}

/** Times of other years have another form, which PostgreSQL does not read. */
const [FIRST_TIME, LAST_TIME] = [
  Date.parse('0001-01-01T00:00:00Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
]
const SIGNS = { eq: sql`=`, gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

function compareInstant(field: SQL, op: Asked, value: string, path: string): SQL {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : NaN
  if (!(op in SIGNS) || !(time >= FIRST_TIME && time <= LAST_TIME))
    throw invalid(`compares "${shown(path)}" with other than a time such as 2030-01-31T12:00:00Z`)
  const sign = SIGNS[op as keyof typeof SIGNS]
  return sql`${field} ${sign} ${new Date(time).toISOString()}::timestamptz`
}

const shown = (path: string) => path.slice(0, 100)
const invalid = (why: string) => scimError('invalidFilter', `The filter ${why}`)
const unknown = (path: string) =>
  invalid(`names "${shown(path)}", which is no attribute to filter by`)
