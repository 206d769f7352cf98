import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { changedParts } from '@/lib/definitions/changed-display'
import type { Rules, SchemaDefinition } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { entityFaults } from '@/lib/definitions/entity-faults'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import {
  entitiesOfSchema,
  type Installed,
  installedSchema,
  type RegistryRow,
} from '@/lib/registry/registry-rows'
import { applyChanges } from './apply-changes'
import type { ArchivePosition } from './archive-position'
import {
  type DefineOutcome,
  definitionTransaction,
  takeUnowned,
  toStored,
} from './definition-transaction'
import { lockEntities } from './lock-entities'
import { planChange, type TableChange } from './plan-change'

/**
 * Installs or changes a schema and the table of every entity that uses it, all or nothing inside the
 * caller's transaction. Throws `DefinitionError`: `Invalid definition` when an entity no longer fits,
 * `Incompatible change` when stored values contradict it. `position`: its position in an archive;
 * `installed`: where it was read already, under the lock of definitions.
 */
export const defineSchema = (
  db: Db,
  schema: SchemaDefinition,
  pluginId: string,
  position?: ArchivePosition,
  installed?: Installed,
): Promise<DefineOutcome> =>
  definitionTransaction(db, async (tx) => {
    const { schema: existing, entities: found } = installed ?? (await installedSchema(tx, schema))
    requireSameName('schema', existing?.name, schema.name)
    const notes = ownerNotes(existing, pluginId)
    const definition = toStored(schema)
    if (existing && isDeepStrictEqual(existing.definition, definition))
      return takeUnowned(tx, schemas, existing, pluginId)
    const users = await lockEntities(tx, found, () => entitiesOfSchema(tx, schema.name))
    const changes: TableChange[] = []
    for (const user of users) changes.push(await changeOf(tx, user, definition))
    await saveSchema(tx, definition, pluginId, existing !== undefined)
    const done: Pick<DefineOutcome, 'steps' | 'notes' | 'followed'> =
      changes.length > 0 ? await applyChanges(tx, changes, position) : { steps: [], notes: [] }
    return {
      status: existing ? 'updated' : 'created',
      steps: done.steps,
      notes: [
        ...notes,
        ...changes.flatMap(lostParts),
        ...displayNotes(existing?.definition, definition),
        ...typeNotes(existing?.definition, definition, users),
        ...done.notes,
      ],
      followed: done.followed,
    }
  })

async function changeOf(
  tx: Db,
  user: RegistryRow,
  definition: SchemaDefinition,
): Promise<TableChange> {
  const { row } = user
  const change = await planChange(tx, user, row, definition)
  const { after } = change
  const faults = entityFaults(after).filter(({ pointer }) => !isDropped(pointer))
  if (faults.length > 0) {
    const details = faults.map((one) => ({
      ...one,
      pointer: undefined,
      message: `Entity ${row.name}: ${one.message}`,
    }))
    throw new DefinitionError('Invalid definition', details)
  }
  return change
}

/** The entity's next version may drop them, so they don't block the schema. */
const lostParts = ({ after }: TableChange) =>
  entityFaults(after).map(({ pointer, message }) => `${lostPart(after.name, pointer)}: ${message}`)

function lostPart(name: string, pointer = ''): string {
  if (pointer.startsWith('/display')) return `${name} is shown without a field`
  return pointer === '/link' ? `${name} no longer links` : `An index of ${name} is gone`
}

const isDropped = (pointer = '') => /^\/(indexes\/|display\/|link$)/.test(pointer)

/** What changes for those who see the records, without changing their table, in words. Pure. */
function displayNotes(before: SchemaDefinition | undefined, after: SchemaDefinition): string[] {
  const former = new Map(before?.properties.map((one) => [one.name, one]))
  return after.properties.flatMap(({ name, display = {} }) => {
    const had = former.get(name)
    const parts = had ? changedParts(had.display ?? {}, display) : []
    return parts.length > 0 ? [`Change how ${name} is shown: ${parts.join(', ')}`] : []
  })
}

/** Which rules of fields of plugins' types change, as they do with their type, in words. Pure. */
function typeNotes(
  before: SchemaDefinition | undefined,
  after: SchemaDefinition,
  users: readonly RegistryRow[],
): string[] {
  const former = new Map(before?.properties.map((one) => [one.name, one]))
  return after.properties.flatMap(({ name, ofType, rules }) => {
    const had: Partial<Rules> | undefined = former.get(name)?.rules
    if (!ofType || !had) return []
    const all = new Set([...Object.keys(had), ...Object.keys(rules)]) as Set<keyof Rules>
    const changed = [...all].filter((rule) => !isDeepStrictEqual(had[rule], rules[rule]))
    if (changed.length === 0) return []
    return users.map(
      ({ row }) => `Change ${row.name}.${name}, of the type ${ofType}: ${changed.join(', ')}`,
    )
  })
}

async function saveSchema(
  tx: Db,
  definition: SchemaDefinition,
  pluginId: string,
  exists: boolean,
): Promise<void> {
  const { name } = definition
  if (exists) await tx.update(schemas).set({ definition, pluginId }).where(eq(schemas.name, name))
  else await tx.insert(schemas).values({ name, definition, pluginId })
}
