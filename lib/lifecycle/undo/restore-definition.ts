import { eq, sql } from 'drizzle-orm'
import { schemas } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type {
  EntityDefinition,
  Property,
  SchemaDefinition,
  StoredColumn,
} from '@/lib/definitions/definition'
import { presentDefinition } from '@/lib/lifecycle/export/definition-files'
import {
  entitiesOfSchema,
  entityNamed,
  mergeEntity,
  type RegistryRow,
  schemaNamed,
} from '@/lib/registry/registry-rows'
import type { ArchivePosition } from '@/lib/tables/archive-position'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import { isObject, type JsonObject } from '@/lib/values/json'
import { recordConverted } from '../changes/record-converted'
import { COLUMNS, type RecordedKind, tableOf } from '../changes/record-definitions'
import { recordGenerated, recordGeneratedIn } from '../changes/record-generated'
import {
  loosenEntity,
  loosenSchema,
  withFormerKeys,
  withFormerNames,
  withoutFills,
} from './former-definition'
import { dropAddedColumns } from './undo-columns'

export type Ids = { installId: number; as: number }
export type Changed = { before: JsonObject; after: JsonObject | null }

/** Makes a definition what it was before the install `installId`; notes for the install `as` what is lost. */
export async function restoreDefinition(
  tx: Db,
  { installId, as }: Ids,
  { kind, before, after }: Changed & { kind: RecordedKind },
): Promise<void> {
  if (kind === 'schema') {
    const definition = before.definition as unknown as SchemaDefinition
    const pluginId = String(before.plugin_id ?? '')
    await recordConverted(tx, { installId: as, pluginId }, definition)
    const named = withFormerNames(definition, propertiesOf(after))
    const present = withoutFills(named, await entitiesOfSchema(tx, definition.name))
    const install = { installId: as, pluginId, undone: installId }
    const keepGenerated = await recordGenerated(tx, install, present)
    await defineSchema(tx, present, pluginId, await alone(tx))
    await keepGenerated()
    await tx.update(schemas).set({ definition }).where(eq(schemas.name, definition.name))
    await dropColumns(tx, installId, { before, after })
    return restoreRow(tx, kind, before)
  }
  if (kind === 'entity') return restoreEntity(tx, { installId, as }, { before, after })
  if (kind === 'webhook') return restoreWebhook(tx, before)
  await restoreRow(tx, kind, before)
}

/** Other schemas stay as they are: the install noted those that changed with a definition. */
async function alone(tx: Db): Promise<ArchivePosition> {
  const found = await tx.select({ name: schemas.name }).from(schemas)
  return { at: 0, positionsOf: new Map(), schemas: new Set(found.map(({ name }) => name)) }
}

async function restoreEntity(
  tx: Db,
  { installId, as }: Ids,
  { before, after }: Changed,
): Promise<void> {
  const definition = before.definition as unknown as EntityDefinition
  const renamed = after && after.name !== before.name ? { renamedFrom: [String(after.name)] } : {}
  const [present] = await entityNamed(tx, String(after?.name ?? before.name))
  const properties = present?.schema?.properties ?? []
  const keys = withFormerKeys(definition, after)
  const owner = String(before.plugin_id ?? '')
  const position = await alone(tx)
  const install = { installId: as, pluginId: owner, undone: installId }
  const [schema] = await schemaNamed(tx, definition.engineSchema ?? definition.name)
  const define = async () => {
    const stated = { ...definition, ...renamed, keys }
    const next = present ? fitting(present, stated, schema?.definition ?? null) : stated
    const keepGenerated = await recordGeneratedIn(tx, install, next)
    await defineEntity(tx, next, owner, new Set(), position)
    await keepGenerated()
  }
  const isOther = schema && present?.schema && present.schema.name !== schema.name
  await (isOther
    ? withSchema(tx, schema, withFormerNames(schema.definition, properties), define)
    : define())
  await restoreRow(tx, 'entity', before)
  const [user] = await entityNamed(tx, definition.name)
  const columns = (before.columns as unknown as StoredColumn[]).map(({ name }) => name)
  const then = {
    installId,
    columns,
    extraFields: before.extra_fields,
    updatedAt: before.updated_at,
  }
  if (user) await dropAddedColumns(tx, user, then, properties)
}

/** Without indexes of fields that its schema does not have, or only when it is as before as well: then they are made. */
const fitting = (
  { row }: RegistryRow,
  definition: EntityDefinition,
  schema: SchemaDefinition | null,
): EntityDefinition => presentDefinition(mergeEntity({ ...row, definition }, schema))

/** Gives a schema its former properties, but so that they hold what is stored. */
export async function relaxBack(tx: Db, { before, after }: Changed): Promise<void> {
  const former = before.definition as unknown as SchemaDefinition
  const [present] = await schemaNamed(tx, former.name)
  const definition = withFormerNames(former, propertiesOf(after))
  const loose = present ? loosenSchema(definition, present.definition) : definition
  await defineSchema(tx, loose, String(before.plugin_id ?? ''), await alone(tx))
}

/** Leaves a schema its present properties, but so that they hold what was before. */
export async function relaxPresent(tx: Db, name: string, before: JsonObject): Promise<void> {
  const former = before.definition as unknown as SchemaDefinition
  const [present] = await schemaNamed(tx, name)
  if (!present) return
  const loose = loosenSchema(present.definition, former)
  await defineSchema(tx, loose, present.pluginId ?? '', await alone(tx))
}

/** Makes a schema what its row says. */
export async function restoreSchema(tx: Db, row: JsonObject): Promise<void> {
  const definition = row.definition as unknown as SchemaDefinition
  await defineSchema(tx, definition, String(row.plugin_id ?? ''), await alone(tx))
  await restoreRow(tx, 'schema', row)
}

/** Leaves an entity as it is, but without rules about fields that are unique together. */
export async function dropUniqueRules(tx: Db, name: string): Promise<void> {
  const [present] = await entityNamed(tx, name)
  if (!present?.row.definition.indexes.some(({ unique }) => unique)) return
  const { definition, pluginId } = present.row
  await defineEntity(tx, loosenEntity(definition), pluginId ?? '', new Set(), await alone(tx))
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

/** Of all entities that use the schema. */
async function dropColumns(
  tx: Db,
  installId: number,
  { before: { name, [COLUMNS]: former }, after }: Changed,
): Promise<void> {
  if (!isObject(former)) return
  for (const user of await entitiesOfSchema(tx, String(name))) {
    const then = former[user.row.name]
    if (!isObject(then) || !Array.isArray(then.columns)) continue
    const { columns, extraFields, updatedAt } = then
    await dropAddedColumns(
      tx,
      user,
      { installId, columns, extraFields, updatedAt },
      propertiesOf(after),
    )
  }
}

/** Of the row of a schema. */
export const propertiesOf = (row: JsonObject | null): Property[] =>
  (isObject(row?.definition) ? row.definition.properties : []) as unknown as Property[]

/** The row as it was; what tables have got since stays, such as indexes that were added on advice. */
async function restoreRow(tx: Db, kind: RecordedKind, before: JsonObject): Promise<void> {
  const { [COLUMNS]: _, ...row } = before
  const key = kind === 'plugin' ? 'id' : 'name'
  const [present] = await rows<{ row: JsonObject }>(
    tx,
    sql`delete from ${tableOf(kind)} as r where r.${sql.identifier(key)} = ${String(row[key])}::text returning to_jsonb(r.*) as row`,
  )
  const { columns = [], extra_fields = [], added_indexes = [] } = present?.row ?? {}
  const kept = kind === 'entity' && present ? { columns, extra_fields, added_indexes } : {}
  const written = { ...row, ...kept }
  // Columns that the table has since then get their defaults.
  const names = sql.join(
    Object.keys(written).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await tx.execute(sql`insert into ${tableOf(kind)} (${names})
    select ${names} from jsonb_populate_record(null::${tableOf(kind)}, ${JSON.stringify(written)}::text::jsonb)`)
}

/** What a plugin declared of a webhook; its address, its secret and whether it sends stay as they are. */
async function restoreWebhook(tx: Db, { id, ...before }: JsonObject): Promise<void> {
  const names = Object.keys(before).map((name) => sql.identifier(name))
  const columns = sql.join(names, sql`, `)
  const declared = Object.keys(before).filter((name) => name !== 'saved_by') // whom it acts for stays
  const taken = declared.map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  )
  const row = JSON.stringify({ id, ...before })
  await tx.execute(sql`insert into ${tableOf('webhook')} as w (id, ${columns})
    select id, ${columns} from jsonb_populate_record(null::${tableOf('webhook')}, ${row}::text::jsonb)
    on conflict (lower(name)) do update set ${sql.join(taken, sql`, `)}, updated_at = now()
    where w.plugin_id is not null`)
}
