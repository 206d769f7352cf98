import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { type Definition, FileFailure } from '@/lib/archives/plugin-file'
import { entityTypes } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Property } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import {
  entitiesNamed,
  type Installed,
  installedEntity,
  installedSchema,
  type RegistryRow,
} from '@/lib/registry/registry-rows'
import { contradictionsOf } from '@/lib/tables/contradictions'
import type { DdlStep } from '@/lib/tables/ddl-step'
import { type DefineOutcome, toStored } from '@/lib/tables/definition-transaction'
import {
  type Installer,
  isOthers,
  requireChangeRights,
  requireInstallerRights,
  requirePolicyRights,
  requireReferenceRights,
  requireRoleRights,
  unreadable,
} from '../installer-rights'

/**
 * Runs `define` if the installer may install this definition. Throws `FileFailure` otherwise:
 * also afterwards, when the outcome depends on stored records that the installer may not read, so
 * that it reveals nothing of them. Call it in a transaction that ends with the error.
 */
export async function guardDefinition(
  tx: Db,
  installer: Installer,
  definition: Definition,
  define: (installed: Installed) => Promise<DefineOutcome>,
): Promise<DefineOutcome> {
  if (definition.kind === 'role') requireRoleRights(installer)
  if (definition.kind === 'policy') await requirePolicyRights(tx, installer, definition.item)
  if (definition.kind === 'type') await requireTypeRights(tx, installer, definition.item)
  const installed = await readInstalled(tx, definition)
  const changed = await changedEntities(tx, definition, installed)
  requireChangeRights(
    installer,
    changed,
    definition.kind === 'entity' ? definition.item : undefined,
  )
  requireReferenceRights(installer, await newlyReferred(tx, definition, installed))
  const secret = unreadable(installer, changed)
  const outcome = await define(installed).catch((error) => {
    const isTelling = error instanceof DefinitionError && error.verdict === 'Incompatible change'
    throw isTelling && secret.length > 0 ? untold(secret) : error
  })
  if (secret.length > 0 && outcome.steps.some(checksRecords)) throw untold(secret)
  return outcome
}

async function readInstalled(tx: Db, definition: Definition): Promise<Installed> {
  if (definition.kind === 'schema') return installedSchema(tx, definition.item)
  if (definition.kind === 'entity') return installedEntity(tx, definition.item)
  return { entities: [], schema: undefined }
}

/** The installed entities that a new definition would change, or give an owner. */
async function changedEntities(
  tx: Db,
  definition: Definition,
  { entities, schema }: Installed,
): Promise<RegistryRow[]> {
  if (definition.kind === 'entity') {
    // An installed entity with the present name has taken over its former ones already, or has to refuse.
    const former = await entitiesNamed(tx, definition.item.renamedFrom ?? [])
    const isChanged = ({ row }: RegistryRow) =>
      row.pluginId === null || isNew(row.definition, definition.item)
    return [...entities.filter(isChanged), ...former]
  }
  if (definition.kind !== 'schema') return []
  const { name } = definition.item
  const installed = schema?.name === name ? schema : undefined
  const isChanged = installed?.pluginId === null || isNew(installed?.definition, definition.item)
  return isChanged ? entities : []
}

/** The installed entities to which a definition adds references. */
async function newlyReferred(
  tx: Db,
  definition: Definition,
  installed: Installed,
): Promise<string[]> {
  const { before = [], after = [] } = propertiesOf(definition, installed)
  const known = new Set(before.map(linkOf))
  const added = after.filter((property) => !known.has(linkOf(property)))
  const names = added.flatMap(({ rules }) => rules.reference?.entity ?? [])
  return (await entitiesNamed(tx, [...new Set(names)])).map(({ row }) => row.name)
}

/** The properties of a schema, or of the schema of an entity, now and with the definition. Pure. */
function propertiesOf({ kind, item }: Definition, { entities, schema }: Installed): Properties {
  if (kind === 'schema') return { before: schema?.definition.properties, after: item.properties }
  return { before: entities[0]?.schema?.properties, after: schema?.definition.properties }
}

type Properties = { before?: readonly Property[]; after?: readonly Property[] }

const linkOf = ({ name, rules: { reference } }: Property) =>
  JSON.stringify([name, reference?.entity, reference?.field])

const isNew = (installed: object | undefined, next: object) =>
  !isDeepStrictEqual(installed, toStored(next))

async function requireTypeRights(tx: Db, installer: Installer, item: { name: string }) {
  const [installed] = await tx.select().from(entityTypes).where(eq(entityTypes.name, item.name))
  if (!installed || !isOthers(installed.pluginId, installer)) return
  if (!isNew(installed.definition, item)) return
  const rights = [{ entity: '*', action: 'update' }] as const
  requireInstallerRights(
    installer,
    rights,
    `which a change of the type "${item.name}" of ${installed.pluginId} needs`,
  )
}

const checksRecords = (step: DdlStep) =>
  step.type === 'check-values' || contradictionsOf(step).length > 0

const untold = (entities: readonly string[]) =>
  new FileFailure(
    'Forbidden',
    entities.map((name) => ({
      key: name,
      message: `The change depends on the stored records of "${name}", so it needs the right "${name}:read"`,
    })),
  )
