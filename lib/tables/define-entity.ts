import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import { type EntityRow, entities } from '@/lib/db/schema'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import { changedParts } from '@/lib/definitions/changed-display'
import type {
  Entity,
  EntityDefinition,
  SchemaDefinition,
  TableName,
} from '@/lib/definitions/definition'
import { DefinitionError, fault } from '@/lib/definitions/definition-faults'
import { entityFaults } from '@/lib/definitions/entity-faults'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import {
  entitiesOfTable,
  entityNamed,
  type Installed,
  installedEntity,
  mergeEntity,
  type RegistryRow,
  schemaNameOf,
} from '@/lib/registry/registry-rows'
import { applyChanges } from './apply-changes'
import type { ArchivePosition } from './archive-position'
import type { DdlStep } from './ddl-step'
import {
  type DefineOutcome,
  definitionTransaction,
  takeUnowned,
  toStored,
} from './definition-transaction'
import { dropEntity } from './drop-entity'
import { lockEntities } from './lock-entities'
import { creation, planChange } from './plan-change'
import { putRecordsAside } from './records-aside'
import { relationExists } from './stored-tables'

export type { DefineOutcome } from './definition-transaction'

/**
 * Installs or changes an entity and its table, all or nothing inside the caller's transaction. Throws
 * `DefinitionError`: `Missing dependency` without the schema it names, `Invalid definition` when it
 * doesn't fit its schema or another owner has its table, `Incompatible change` when stored values
 * contradict it. An entity that names no schema is free-form, unless `failedSchemas` names its schema:
 * then that is a `Missing dependency` too. `position`: its position in an archive; `installed`: where
 * it was read already, under the lock of definitions.
 */
export const defineEntity = (
  db: Db,
  stated: EntityDefinition,
  pluginId: string,
  failedSchemas: ReadonlySet<string> = new Set(),
  position?: ArchivePosition,
  installed?: Installed,
): Promise<DefineOutcome> =>
  definitionTransaction(db, async (tx) => {
    const known = installed ?? (await installedEntity(tx, stated))
    const [found] = known.entities
    const former = await formerEntity(tx, stated, found)
    const definition = keepDistribution(stated, (former ?? found)?.row.definition)
    if (!former) requireSameName('entity', found?.row.name, definition.name)
    const notes = ownerNotes((former ?? found)?.row, pluginId)
    if (found && !former && isDeepStrictEqual(found.row.definition, toStored(definition)))
      return takeUnowned(tx, entities, found.row, pluginId)
    const isReplaced = found && former && found.row.name !== former.row.name
    const dropped = isReplaced ? await dropEmpty(tx, found) : []
    const name = former?.row.name ?? definition.name
    const present = former ? [former] : known.entities
    const [existing] = await lockEntities(tx, present, () => entityNamed(tx, name))
    const schema = requireSchema(definition, known.schema, failedSchemas)
    const row = toRow(definition, pluginId, existing?.row)
    const after = mergeEntity(row, schema)
    const faults = [...entityFaults(after), ...(await tableFaults(tx, after, existing))]
    if (faults.length > 0) throw new DefinitionError('Invalid definition', faults)
    if (!found) await putRecordsAside(tx, definition.name)
    const change = existing ? await planChange(tx, existing, row, schema) : creation(after)
    const done = await applyChanges(tx, [change], position)
    return {
      status: existing ? 'updated' : 'created',
      steps: [...dropped, ...done.steps],
      notes: [...notes, ...behaviourNotes(existing?.row.definition, definition), ...done.notes],
      followed: done.followed,
    }
  })

/** A definition that does not say where the records are kept leaves them where they are. */
export function keepDistribution(
  stated: EntityDefinition,
  installed: EntityDefinition | undefined,
): EntityDefinition {
  const kept = installed?.distribution
  if (kept === undefined) return stated
  const renamed =
    typeof kept === 'object' &&
    stated.keys.find(({ renamedFrom }) => renamedFrom?.includes(kept.by))
  return { distribution: renamed ? { ...kept, by: renamed.key } : kept, ...stated }
}

function requireSchema(
  definition: EntityDefinition,
  found: Installed['schema'],
  failedSchemas: ReadonlySet<string>,
): SchemaDefinition | null {
  const name = schemaNameOf(definition)
  if (found?.name === name) return found.definition
  const isNamed = definition.engineSchema !== null
  const hasFailed = failedSchemas.has(name)
  if (!isNamed && !hasFailed) return null
  const message = hasFailed
    ? `The schema "${name}" of the archive failed, and none is installed`
    : `The schema "${name}" is neither in the archive nor installed`
  const pointer = isNamed ? '/engineSchema' : '/name'
  throw new DefinitionError('Missing dependency', [fault(pointer, message, name)])
}

const toRow = (definition: EntityDefinition, pluginId: string, row: EntityRow | undefined) => ({
  name: definition.name,
  pluginId,
  definition: toStored(definition),
  tableSchema: definition.table.schema,
  tableName: definition.table.name,
  extraFields: row?.extraFields ?? [],
  addedIndexes: row?.addedIndexes ?? [],
})

/** An entity's table is its own. */
export const tableTaken = (table: TableName, owner: string) =>
  fault(
    '/dbTable',
    `The table ${table.schema}.${table.name} belongs to the entity "${owner}"; choose another`,
    table.name,
  )

/** A table belongs to the entity when the registry says that it was made for this entity. */
async function tableFaults(tx: Db, { table, name }: Entity, existing: RegistryRow | undefined) {
  const isOwn = existing?.row.tableSchema === table.schema && existing.row.tableName === table.name
  const shown = `${table.schema}.${table.name}`
  const others = await entitiesOfTable(tx, table)
  const other = others.find(({ row }) => row.name !== name && row.name !== existing?.row.name)
  if (other) return [tableTaken(table, other.row.name)]
  if (isOwn || !(await relationExists(tx, table))) return []
  const message = `${shown} exists in the database and was not made by the engine; choose another`
  return [fault('/dbTable', message, table.name)]
}

/** What a new definition changes for those who use the entity, without changing its table, in words. Pure. */
function behaviourNotes(before: EntityDefinition | undefined, after: EntityDefinition): string[] {
  if (!before) return []
  const { name } = after
  const permissions = RECORD_ACTIONS.flatMap((action) => {
    if (before.permissions[action] === after.permissions[action]) return []
    return after.permissions[action]
      ? [`Permit the action "${action}" on the records of ${name}`]
      : [`No longer permit the action "${action}" on the records of ${name}`]
  })
  const settings = (['insertDuplicate', 'updateStrategy'] as const).flatMap((key) =>
    before[key] === after[key]
      ? []
      : [`Change ${key} of ${name} from ${before[key]} to ${after[key]}`],
  )
  const parts = changedParts(before.display ?? {}, after.display ?? {})
  const display = parts.length > 0 ? [`Change how ${name} is shown: ${parts.join(', ')}`] : []
  return [...permissions, ...settings, ...display]
}

/**
 * The installed entity whose table and records a definition takes over; null when it names none that
 * exists, or only an empty one beside `found`. Throws `Incompatible change` when both have records.
 */
async function formerEntity(
  tx: Db,
  { name, renamedFrom = [] }: EntityDefinition,
  found: RegistryRow | undefined,
): Promise<RegistryRow | null> {
  for (const formerName of renamedFrom) {
    const former = (await entityNamed(tx, formerName)).find(({ row }) => row.name === formerName)
    if (!former) continue
    if (!found || found.row.name === formerName) return former
    const [had, has] = [await countRecords(tx, former), await countRecords(tx, found)]
    if (had === 0) return null
    if (has === 0) return former
    const message = `${formerName} has ${records(had)} and ${name} has ${records(has)}, so ${name} cannot take over those of ${formerName}; empty one of them, or leave out renamedFrom`
    throw new DefinitionError('Incompatible change', [fault('/renamedFrom', message, formerName)])
  }
  return null
}

async function countRecords(tx: Db, { row }: RegistryRow): Promise<number> {
  const table = tableSql({ schema: row.tableSchema, name: row.tableName })
  const query = sql`select count(*)::float8 as total from ${table}`
  return one(await rows<{ total: number }>(tx, query)).total
}

const records = (count: number) => (count === 1 ? '1 record' : `${count} records`)

/** Removes an empty entity, whose name another one takes. Other names of the same entity stay. */
async function dropEmpty(tx: Db, found: RegistryRow): Promise<DdlStep[]> {
  const { name } = found.row
  const [locked] = await lockEntities(tx, [found], () => entityNamed(tx, name))
  if (!locked) return []
  if ((await countRecords(tx, locked)) > 0) {
    const message = `${name} has got records meanwhile; install the archive again`
    throw new DefinitionError('Incompatible change', [fault('/renamedFrom', message)])
  }
  return dropEntity(tx, locked)
}
