import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { type Definition, FileFailure } from '@/lib/archives/plugin-file'
import { entityTypes, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Property } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import {
  entitiesNamed,
  entitiesOfSchema,
  entityNamed,
  type RegistryRow,
  schemaNamed,
  schemaNameOf,
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
  define: () => Promise<DefineOutcome>,
): Promise<DefineOutcome> {
  if (definition.kind === 'role') requireRoleRights(installer)
  if (definition.kind === 'policy') await requirePolicyRights(tx, installer, definition.item)
  if (definition.kind === 'type') await requireTypeRights(tx, installer, definition.item)
  const changed = await changedEntities(tx, definition)
  requireChangeRights(
    installer,
    changed,
    definition.kind === 'entity' ? definition.item : undefined,
  )
  requireReferenceRights(installer, await newlyReferred(tx, definition))
  const secret = unreadable(installer, changed)
  const outcome = await define().catch((error) => {
    const isTelling = error instanceof DefinitionError && error.verdict === 'Incompatible change'
    throw isTelling && secret.length > 0 ? untold(secret) : error
  })
  if (secret.length > 0 && outcome.steps.some(checksRecords)) throw untold(secret)
  return outcome
}

/** The installed entities that a new definition would change, or give an owner. */
async function changedEntities(tx: Db, definition: Definition): Promise<RegistryRow[]> {
  if (definition.kind === 'entity') {
    const { name, renamedFrom = [] } = definition.item
    const found = await entityNamed(tx, name)
    // An installed entity with the present name has taken over its former ones already, or has to refuse.
    const former = await entitiesNamed(tx, renamedFrom)
    const isChanged = ({ row }: RegistryRow) =>
      row.pluginId === null || isNew(row.definition, definition.item)
    return [...found.filter(isChanged), ...former]
  }
  if (definition.kind !== 'schema') return []
  const { name } = definition.item
  const [installed] = await tx.select().from(schemas).where(eq(schemas.name, name))
  const isChanged = installed?.pluginId === null || isNew(installed?.definition, definition.item)
  return isChanged ? entitiesOfSchema(tx, name) : []
}

/** The installed entities to which a definition adds references. */
async function newlyReferred(tx: Db, definition: Definition): Promise<string[]> {
  const { before, after } = await propertiesOf(tx, definition)
  const known = new Set(before.map(linkOf))
  const added = after.filter((property) => !known.has(linkOf(property)))
  const names = added.flatMap(({ rules }) => rules.reference?.entity ?? [])
  return (await entitiesNamed(tx, [...new Set(names)])).map(({ row }) => row.name)
}

const linkOf = ({ name, rules: { reference } }: Property) =>
  JSON.stringify([name, reference?.entity, reference?.field])

/** The properties of a schema, or of the schema of an entity, now and with the definition. */
async function propertiesOf(tx: Db, definition: Definition): Promise<Properties> {
  if (definition.kind === 'schema') {
    const [installed] = await schemaNamed(tx, definition.item.name)
    return { before: installed?.definition.properties ?? [], after: definition.item.properties }
  }
  if (definition.kind !== 'entity') return { before: [], after: [] }
  const [installed] = await entityNamed(tx, definition.item.name)
  const [schema] = await schemaNamed(tx, schemaNameOf(definition.item))
  return {
    before: installed?.schema?.properties ?? [],
    after: schema?.definition.properties ?? [],
  }
}

type Properties = { before: readonly Property[]; after: readonly Property[] }

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
