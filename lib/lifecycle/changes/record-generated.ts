import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import { type Db, tableSql, textArray } from '@/lib/db/sql'
import {
  type Entity,
  type EntityDefinition,
  EXTRA_COLUMN,
  type Property,
  type SchemaDefinition,
} from '@/lib/definitions/definition'
import {
  entitiesNamed,
  entitiesOfSchema,
  mergeEntity,
  type RegistryRow,
  schemaNamed,
  schemaNameOf,
} from '@/lib/registry/registry-rows'
import { stored } from '@/lib/rows/record-columns'
import { jsonToColumn } from '@/lib/tables/cast-sql'
import { imageSql, keySql, rememberedSql, valueJson } from '../base/record-sql'
import { stageRecords, writeStaged } from '../base/stage-records'
import { LEFT } from '../undo/undo-source'

/** In the notes of a record: which of these fields a schema gave a generated value. */
const GENERATED = '$generated'

/** `undone`: the install that is undone by it, whose notes have the values that records had. */
type Install = { installId: number; pluginId: string; undone?: number }

/**
 * Notes the records in which a schema is about to generate values, as changed by the install. The function that it
 * returns is called once they have them: they are part of what the plugin gave, and no edits.
 */
export async function recordGenerated(
  tx: Db,
  install: Install,
  schema: SchemaDefinition,
): Promise<() => Promise<void>> {
  const read = () => entitiesOfSchema(tx, schema.name)
  const users = schema.properties.some(isGenerating) ? await read() : []
  return recordIn(tx, install, schema, users, async (names) =>
    (await read()).filter(({ row }) => names.includes(row.name)),
  )
}

/** The same of an entity that gets another schema. */
export async function recordGeneratedIn(
  tx: Db,
  install: Install,
  definition: EntityDefinition,
): Promise<() => Promise<void>> {
  const { name, renamedFrom = [] } = definition
  const [schema] = await schemaNamed(tx, schemaNameOf(definition))
  if (!schema?.definition.properties.some(isGenerating)) return async () => {}
  const found = await entitiesNamed(tx, [name, ...renamedFrom])
  const users = found.filter((user) => user.schema?.name !== schema.name)
  return recordIn(tx, install, schema.definition, users, () => entitiesNamed(tx, [name]))
}

const isGenerating = ({ rules }: Property) => rules.generates !== undefined

/** `read`: returns those of the users with these names, once they have the schema. */
async function recordIn(
  tx: Db,
  install: Install,
  schema: SchemaDefinition,
  users: readonly RegistryRow[],
  read: (names: readonly string[]) => Promise<RegistryRow[]>,
): Promise<() => Promise<void>> {
  const generating = schema.properties.filter(isGenerating)
  const concerned: string[] = []
  for (const user of generating.length > 0 ? users : []) {
    const entity = mergeEntity(user.row, user.schema)
    const filled = generating.flatMap((property) => {
      const where = isFilled(entity, user, property)
      return where ? [{ name: property.name, where }] : []
    })
    if (filled.length === 0) continue
    await tx.execute(recordChanged(await stageRecords(tx, entity), user, install, filled))
    concerned.push(user.row.name)
  }
  return async () => {
    if (concerned.length === 0) return
    for (const { row, schema: present } of await read(concerned)) {
      const entity = mergeEntity(row, present)
      const staged = await stageRecords(tx, entity)
      for (const statement of restoreGenerated(staged, install, generating))
        await tx.execute(statement)
      await tx.execute(extendBases(staged, install, generating))
      await tx.execute(recordLeft(staged, install))
      await writeStaged(tx, entity, staged)
    }
  }
}

/** Whether the record `t` has no value yet, neither declared nor undeclared; null when none is generated. */
function isFilled(entity: Entity, { row }: RegistryRow, property: Property): SQL | null {
  const names = [property.name, ...(property.renamedFrom ?? [])]
  const former = entity.properties.find(({ name }) => names.includes(name))
  if (former && (former.rules.required || !property.rules.required)) return null
  const column = row.columns.find(({ name }) => name === (former?.name ?? property.name))
  const isEmpty = column ? sql`${stored(column.name)} is null` : sql`true`
  if (!entity.open || former) return isEmpty
  const without = names.map(
    (name) => sql`coalesce(${stored(EXTRA_COLUMN)} -> ${name}::text, 'null') = 'null'`,
  )
  return sql`(${sql.join([isEmpty, ...without], sql` and `)})`
}

type Filled = { name: string; where: SQL }

function recordChanged(
  entity: Entity,
  { row }: RegistryRow,
  { installId, pluginId }: Install,
  filled: readonly Filled[],
): SQL {
  const added = filled.filter(({ name }) => !row.columns.some((column) => column.name === name))
  const empty = sql`${JSON.stringify(Object.fromEntries(added.map(({ name }) => [name, null])))}::text::jsonb`
  const which = filled.map(({ name, where }) => sql`${name}::text, ${where}`)
  const any = sql.join(
    filled.map(({ where }) => where),
    sql` or `,
  )
  return sql`insert into ${pluginChanges} (install_id, entity, key, change, before, remembered)
    select ${installId}::bigint, ${entity.name}::text, ${keySql(entity, 't')}, 'updated',
      to_jsonb(t.*) || ${empty} || jsonb_build_object(${GENERATED}::text, jsonb_build_object(${sql.join(which, sql`, `)})), to_jsonb(p.*)
    from ${tableSql(entity.table)} as t left join ${rememberedSql(entity, pluginId, keySql(entity, 't'))} on true
    where ${any}
    on conflict (install_id, entity, key) do update set change = 'updated',
      before = excluded.before || coalesce(plugin_changes.before, '{}')`
}

const noted = (entity: Entity, { installId }: Install): SQL =>
  sql`c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.before ? ${GENERATED}::text
    and c.key = ${keySql(entity, 't')}`

/** Values that records had when they lost the field, in place of new ones. */
function restoreGenerated(
  entity: Entity,
  install: Install,
  generating: readonly Property[],
): SQL[] {
  const { undone } = install
  if (undone === undefined) return []
  return generating.map((property) => {
    const [name, value] = [sql`${property.name}::text`, sql`u.before -> ${property.name}::text`]
    return sql`update ${tableSql(entity.table)} as t set ${sql.identifier(property.name)} = ${jsonToColumn(value, property)}
      from ${pluginChanges} as c join ${pluginChanges} as u
        on u.install_id = ${undone}::bigint and u.entity = c.entity and u.key = c.key and jsonb_typeof(u.before -> ${name}) = 'string'
      where ${noted(entity, install)} and c.before -> ${GENERATED}::text -> ${name} = 'true'`
  })
}

/** What the plugin gave has the generated values, too, and what others gave that it did not. */
function extendBases(entity: Entity, install: Install, generating: readonly Property[]): SQL {
  const values = generating.map((property) => {
    const isGenerated = sql`c.before -> ${GENERATED}::text -> ${property.name}::text = 'true'`
    const json = sql`jsonb_build_object(${property.name}::text, ${valueJson(property, stored(property.name))})`
    return sql`case when ${isGenerated} then ${json} else '{}' end`
  })
  return sql`update ${pluginRecords} as p set base = p.base || ${sql.join(values, sql` || `)}
    from ${pluginChanges} as c, ${tableSql(entity.table)} as t
    where ${noted(entity, install)} and (p.plugin_id = ${install.pluginId}::text or c.remembered is null)
      and p.entity = c.entity and p.key = c.key`
}

/** What other plugins gave is without the values again that an install generated, and a rollback removed. */
export function shortenBases(entity: Entity, { installId, pluginId }: Install): SQL {
  const declared = textArray(entity.properties.map(({ name }) => name))
  const made = sql`select k from jsonb_object_keys(c.before -> ${GENERATED}::text) as k
    where c.before -> ${GENERATED}::text -> k = 'true' and p.base -> k = c.before -> ${LEFT}::text -> k`
  const emptied = sql`select jsonb_object_agg(k, null) from unnest(array(${made})) as k where k = any(${declared})`
  return sql`update ${pluginRecords} as p set base = (p.base - array(${made})) || coalesce((${emptied}), '{}')
    from ${pluginChanges} as c
    where c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.remembered is null
      and c.before ? ${GENERATED}::text and p.plugin_id <> ${pluginId}::text and p.entity = c.entity and p.key = c.key`
}

/** Notes how the records are left that the plugin did not give. */
const recordLeft = (entity: Entity, install: Install): SQL =>
  sql`update ${pluginChanges} as c set before = c.before || jsonb_build_object(${LEFT}::text, ${imageSql(entity, 't')})
    from ${tableSql(entity.table)} as t where ${noted(entity, install)} and c.remembered is null`
