import { isDeepStrictEqual } from 'node:util'
import type { Db } from '@/lib/db/sql'
import type { Entity, SchemaDefinition } from '@/lib/definitions/definition'
import { mergeEntity, type RegisteredEntity, type RegistryRow } from '@/lib/registry/registry-rows'
import { LOGS, logKey } from '@/lib/versions/keep-log'
import type { StoredTable } from './column-spec'
import type { DdlStep } from './ddl-step'
import { looksDifferent } from './looks-different'
import { planTable } from './plan-table'
import {
  type FieldRename,
  planRenames,
  settledRenames,
  wantedRenames,
} from './renames/plan-renames'
import { renamedDefinition, renamedTable } from './renames/renamed-table'

/** An entity before (null: new) and after a definition, and the steps between them. */
export type TableChange = {
  /** With its present names: what `renames` leave. */
  before: StoredTable | null
  after: Entity
  steps: DdlStep[]
  /** What precedes the steps; null when nothing is renamed. */
  renames: Renames | null
}

type Renames = { formerName: string; fields: FieldRename[]; steps: DdlStep[] }

export const creation = (after: Entity): TableChange => ({
  before: null,
  after,
  steps: planTable(null, after),
  renames: null,
})

/**
 * The change that makes an installed entity what `row` and `schema` say. Its former names are given up
 * where the new definition asks for it. Throws `DefinitionError` when a former and a present field both
 * hold values.
 */
export async function planChange(
  tx: Db,
  installed: RegistryRow,
  row: RegisteredEntity,
  schema: SchemaDefinition | null,
): Promise<TableChange> {
  const stored = { columns: installed.row.columns, entity: storedEntity(installed) }
  const fields = await settledRenames(
    tx,
    stored,
    wantedRenames(stored, withKeys(stored, row, schema)),
  )
  const definition = renamedDefinition(row.definition, fields)
  const after = mergeEntity({ ...row, definition }, schema)
  const { name, table } = after
  const isMoved = stored.entity.name !== name
  if (fields.length === 0 && !isMoved) {
    const steps = [...planTable(stored, after), ...beginChanges(stored, after, fields)]
    return { before: stored, after, steps, renames: null }
  }
  const renaming = { name, table: isMoved ? table : stored.entity.table, fields }
  const before = renamedTable(stored, renaming)
  const { extraFields, addedIndexes } = before.entity
  const renamed = { ...after, extraFields, addedIndexes }
  const renames = {
    formerName: stored.entity.name,
    fields,
    steps: planRenames(stored, renaming),
  }
  const steps = [
    ...followKey(stored.entity, before.entity),
    ...planTable(before, renamed),
    ...beginChanges(before, renamed, fields),
  ]
  return { before, after: renamed, steps, renames }
}

/** The triggers name the entity and the key, so they follow new names before anything writes to the table. */
function followKey(stored: Entity, { table, name: entity, ...renamed }: Entity): DdlStep[] {
  const key = logKey({ ...stored, ...renamed })
  const isSame = stored.name === entity && isDeepStrictEqual(key, logKey(stored))
  if (isSame) return []
  const kept = LOGS.filter((log) => stored.definition[log])
  return kept.map((log) => ({ type: 'keep-log', log, table, entity, key }))
}

/** Before anybody reads what changes later: it has the new fields. */
function beginChanges(
  before: StoredTable,
  after: Entity,
  renames: readonly FieldRename[],
): DdlStep[] {
  const { table, name: entity, definition } = after
  if (!before.entity.definition.events || !definition.events) return []
  const isDifferent = renames.length > 0 || looksDifferent(before, after)
  return isDifferent ? [{ type: 'begin-changes', table, entity }] : []
}

const storedEntity = ({ row, schema }: RegistryRow) => mergeEntity(row, schema)

/** The entity to be, without the keys that a property of its schema has taken over. */
function withKeys(
  { entity }: StoredTable,
  row: RegisteredEntity,
  schema: SchemaDefinition | null,
): Entity {
  const declared = schema?.properties ?? []
  const isRenamed = (key: string) =>
    entity.keys.includes(key) &&
    !declared.some(({ name }) => name === key) &&
    declared.some(({ renamedFrom = [] }) => renamedFrom.includes(key))
  const after = mergeEntity(row, schema)
  return { ...after, properties: after.properties.filter(({ name }) => !isRenamed(name)) }
}
