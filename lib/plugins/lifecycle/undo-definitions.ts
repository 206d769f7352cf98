import { eq, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import { schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type {
  EntityDefinition,
  Property,
  SchemaDefinition,
  StoredColumn,
} from '@/lib/definitions/definition'
import { entitiesOfSchema, entityNamed, schemaNamed } from '@/lib/registry/registry-rows'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import { dropEntity } from '@/lib/tables/drop-entity'
import { isObject, type JsonObject } from '@/lib/values/json'
import {
  COLUMNS,
  type NotedKind,
  noteDefinition,
  notedDefinitions,
  readDefinition,
  tableOf,
} from './note-definition'
import { dropAddedColumns } from './undo-columns'

/**
 * Makes definitions what they were before an install, in the caller's transaction, and remembers that for
 * the install `as`. Returns what was done, in words. Throws `DefinitionError` when stored values
 * contradict an older definition.
 */
export async function undoDefinitions(tx: Db, installId: number, as: number): Promise<string[]> {
  const done: string[] = []
  for (const { kind, name, before, after } of await notedDefinitions(tx, installId)) {
    const present = await readDefinition(tx, kind, [name])
    if (before) await bringBack(tx, kind, before, after)
    else if (present && !(await remove(tx, kind, name))) {
      done.push(`The ${kind} ${name} stays: it is in use`)
      continue
    }
    await noteDefinition(tx, as, kind, String(before?.name ?? before?.id ?? name), present)
    if (kind !== 'plugin') done.push(`The ${kind} ${name} is ${before ? 'as before' : 'removed'}`)
  }
  return done
}

/** Returns false for what is in use. */
async function remove(tx: Db, kind: NotedKind, name: string): Promise<boolean> {
  if (kind === 'entity') {
    const [found] = await entityNamed(tx, name)
    if (!found) return true
    const table = tableSql({ schema: found.row.tableSchema, name: found.row.tableName })
    if ((await rows(tx, sql`select from ${table} limit 1`)).length > 0) return false
    await dropEntity(tx, found)
    return true
  }
  if (kind === 'schema' && (await entitiesOfSchema(tx, name)).length > 0) return false
  const column = sql.identifier(kind === 'plugin' ? 'id' : 'name')
  await tx.execute(sql`delete from ${tableOf(kind)} where ${column} = ${name}::text`)
  return true
}

async function bringBack(
  tx: Db,
  kind: NotedKind,
  before: JsonObject,
  after: JsonObject | null,
): Promise<void> {
  const owner = String(before.plugin_id ?? '')
  if (kind === 'schema') {
    const definition = before.definition as unknown as SchemaDefinition
    await defineSchema(tx, withFormerNames(definition, propertiesOf(after)), owner)
    await tx.update(schemas).set({ definition }).where(eq(schemas.name, definition.name))
    await dropColumns(tx, before, after)
    return restoreRow(tx, kind, before)
  }
  if (kind === 'entity') return bringBackEntity(tx, before, after)
  await restoreRow(tx, kind, before)
}

async function bringBackEntity(
  tx: Db,
  before: JsonObject,
  after: JsonObject | null,
): Promise<void> {
  const definition = before.definition as unknown as EntityDefinition
  const renamed = after && after.name !== before.name ? { renamedFrom: [String(after.name)] } : {}
  const [present] = await entityNamed(tx, String(after?.name ?? before.name))
  const properties = present?.schema?.properties ?? []
  const define = () =>
    defineEntity(tx, { ...definition, ...renamed }, String(before.plugin_id ?? ''))
  const [schema] = await schemaNamed(tx, definition.engineSchema ?? definition.name)
  const isOther = schema && present?.schema && present.schema.name !== schema.name
  await (isOther
    ? withSchema(tx, schema, withFormerNames(schema.definition, properties), define)
    : define())
  await restoreRow(tx, 'entity', before)
  const [user] = await entityNamed(tx, definition.name)
  const columns = (before.columns as unknown as StoredColumn[]).map(({ name }) => name)
  const then = { columns, extraFields: before.extra_fields, updatedAt: before.updated_at }
  if (user) await dropAddedColumns(tx, user, then, properties)
}

/** Runs `work` while the schema has another definition. */
async function withSchema(
  tx: Db,
  { name, definition, updatedAt }: typeof schemas.$inferSelect,
  meanwhile: SchemaDefinition,
  work: () => Promise<unknown>,
): Promise<void> {
  const set = (values: object) => tx.update(schemas).set(values).where(eq(schemas.name, name))
  await set({ definition: meanwhile })
  await work()
  await set({ definition, updatedAt })
}

/** A property that was renamed takes its values back. */
function withFormerNames(
  definition: SchemaDefinition,
  next: readonly Property[],
): SchemaDefinition {
  const kept = new Set(next.map(({ name }) => name))
  const properties = definition.properties.map((property) => {
    const { name } = property
    const later = kept.has(name) ? undefined : next.find((one) => one.renamedFrom?.includes(name))
    return later ? { ...property, renamedFrom: [later.name] } : property
  })
  return { ...definition, properties }
}

/** Of all entities that use the schema. */
async function dropColumns(
  tx: Db,
  { name, [COLUMNS]: former }: JsonObject,
  after: JsonObject | null,
): Promise<void> {
  if (!isObject(former)) return
  for (const user of await entitiesOfSchema(tx, String(name))) {
    const then = former[user.row.name]
    if (!isObject(then) || !Array.isArray(then.columns)) continue
    const { columns, extraFields, updatedAt } = then
    await dropAddedColumns(tx, user, { columns, extraFields, updatedAt }, propertiesOf(after))
  }
}

const propertiesOf = (row: JsonObject | null): Property[] =>
  (isObject(row?.definition) ? row.definition.properties : []) as unknown as Property[]

/** The row as it was; what tables have got since stays, such as indexes that were added on advice. */
async function restoreRow(tx: Db, kind: NotedKind, before: JsonObject): Promise<void> {
  const { [COLUMNS]: _, ...row } = before
  const key = kind === 'plugin' ? 'id' : 'name'
  const [present] = await rows<{ row: JsonObject }>(
    tx,
    sql`delete from ${tableOf(kind)} as r where r.${sql.identifier(key)} = ${String(row[key])}::text returning to_jsonb(r.*) as row`,
  )
  const { columns = [], extra_fields = [], added_indexes = [] } = present?.row ?? {}
  const kept = kind === 'entity' && present ? { columns, extra_fields, added_indexes } : {}
  await tx.execute(sql`insert into ${tableOf(kind)}
    select * from jsonb_populate_record(null::${tableOf(kind)}, ${JSON.stringify({ ...row, ...kept })}::text::jsonb)`)
}
