import { eq, sql } from 'drizzle-orm'
import { schemas as schemaTable } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Property, Rules } from '@/lib/definitions/definition'
import { isTextKind } from '@/lib/kinds/kind'
import { entitiesOfSchema } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'
import { sqlTypeOf } from './column-spec'
import { type FormerSchema, saveEntity } from './definition-transaction'
import { lockEntities } from './lock-entities'
import { planChange, type TableChange } from './plan-change'
import { pairsOf } from './reference-fields'

/** Changes of the tables, and the schemas as they were before. */
type Followers = { changes: TableChange[]; former: FormerSchema[] }

/** A field to which references can point, with its new type. */
type Retyped = { entity: string; field: Property }

/**
 * Gives fields that refer to a field whose type has widened that type too, in the definitions of others.
 * The definitions that `changes` come from say their own types, as do those that the same archive brings
 * (`schemas`, by name). Returns the changes of the tables; the registry then holds them.
 */
export async function followTypes(
  tx: Db,
  changes: readonly TableChange[],
  schemas: ReadonlySet<string> = new Set(),
): Promise<Followers> {
  const own = new Set([...schemas, ...changes.flatMap(({ after }) => after.schema?.name ?? [])])
  const all: Followers = { changes: [], former: [] }
  for (let latest = changes; latest.length > 0; ) {
    const found = await followFields(tx, latest.flatMap(retypedFields), own)
    latest = found.changes
    all.changes.push(...found.changes)
    all.former.push(...found.former)
  }
  return all
}

function retypedFields({ before, after }: TableChange): Retyped[] {
  const had = new Map(before?.entity.properties.map((property) => [property.name, property]))
  return after.properties.flatMap((field) => {
    const former = had.get(field.name)
    return former && isWiderType(former, field) ? [{ entity: after.name, field }] : []
  })
}

async function followFields(
  tx: Db,
  retyped: readonly Retyped[],
  own: ReadonlySet<string>,
): Promise<Followers> {
  const changes: TableChange[] = []
  const former: FormerSchema[] = []
  for (const row of await schemasReferringTo(tx, retyped)) {
    const { definition } = row
    if (own.has(definition.name)) continue
    const properties = definition.properties.map((property) =>
      follow(property, definition.properties, retyped),
    )
    if (properties.every((one, at) => one === definition.properties[at])) continue
    const followed = { ...definition, properties }
    const { name } = definition
    const read = () => entitiesOfSchema(tx, name)
    const users = await lockEntities(tx, await read(), read)
    for (const user of users) {
      const change = await planChange(tx, user, user.row, followed)
      changes.push(change)
    }
    await tx.update(schemaTable).set({ definition: followed }).where(eq(schemaTable.name, name))
    const changedAt = users.map((user): [string, Date] => [user.row.name, user.row.updatedAt])
    former.push({ ...row, changedAt: Object.fromEntries(changedAt) })
  }
  for (const change of changes) await saveEntity(tx, change)
  return { changes, former }
}

async function schemasReferringTo(
  tx: Db,
  retyped: readonly Retyped[],
): Promise<(typeof schemaTable.$inferSelect)[]> {
  if (retyped.length === 0) return []
  const targets = JSON.stringify([...new Set(retyped.map(({ entity }) => entity))])
  const refers = sql`exists (select from jsonb_path_query(${schemaTable.definition}, '$.properties[*].rules.reference.entity') as target where ${targets}::jsonb @> target)`
  return tx.select().from(schemaTable).where(refers).orderBy(schemaTable.name)
}

function follow(
  property: Property,
  properties: readonly Property[],
  retyped: readonly Retyped[],
): Property {
  const referred = properties.flatMap(({ name, rules: { reference } }) => {
    if (!reference) return []
    const { columns, fields } = pairsOf(name, reference)
    const field = fields[columns.indexOf(property.name)]
    return field === undefined ? [] : [{ entity: reference.entity, field }]
  })
  const target = retyped.find(({ entity, field }) =>
    referred.some((one) => one.entity === entity && one.field === field.name),
  )
  if (!target || !isWiderType(property, target.field)) return property
  const { type, kind } = target.field
  return isTextKind(kind)
    ? { ...withTextChoices(property), type, kind, rules: textRules(property.rules) }
    : { ...property, type, kind }
}

const text = (value: Json) => (value === null ? null : String(value))

/** What is shown of a number, for the texts that spell it. */
function withTextChoices({ display, ...property }: Property): Omit<Property, 'rules'> {
  if (!display) return property
  const { format: _, unit: __, choices, ...shown } = display
  const texts = choices?.map((choice) => ({ ...choice, value: text(choice.value) }))
  const next = { ...shown, ...(texts ? { choices: texts } : {}) }
  return Object.keys(next).length > 0 ? { ...property, display: next } : property
}

/** The rules of a number for the texts that spell it. */
function textRules({ min: _, max: __, ...rules }: Rules): Rules {
  return {
    ...rules,
    ...(rules.default === undefined ? {} : { default: text(rules.default) }),
    ...(rules.enum ? { enum: rules.enum.map(text) } : {}),
  }
}

type Typed = Pick<Property, 'type' | 'kind'>

/** Whether every value of `from` is one of `to`, which has more. */
export function isWiderType(from: Typed, to: Typed): boolean {
  const [before, after] = [rankOf(from), rankOf(to)]
  return before !== null && after !== null && after > before
}

// A decimal and a double hold values that the other does not.
const RANKS: Record<string, number> = {
  smallint: 0,
  bigint: 1,
  numeric: 3,
  'double precision': 3,
  text: 4,
}

/** Of integers, `bigint` has values beyond those that JSON numbers keep exactly. */
function rankOf(property: Typed): number | null {
  const rank = RANKS[sqlTypeOf(property)] ?? null
  return rank === 1 && property.type === 'bigint' ? 2 : rank
}
