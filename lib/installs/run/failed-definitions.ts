import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import { FileFailure, type PlannedFile, type Refused } from '@/lib/archives/plugin-file'
import { schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import type { FileReport } from '@/lib/installs/file-report'
import { entitiesNamed, schemaNameOf } from '@/lib/registry/registry-rows'
import { keepDistribution } from '@/lib/tables/define-entity'
import { toStored } from '@/lib/tables/definition-transaction'

/**
 * Names of the schemas and entities, former names too, that an archive defines and that failed, for whatever reason:
 * but for those that are installed as it defines them.
 */
export type FailedDefinitions = { schema: Set<string>; entity: Set<string> }

export const noneFailed = (): FailedDefinitions => ({ schema: new Set(), entity: new Set() })

export const copyFailed = ({ schema, entity }: FailedDefinitions): FailedDefinitions => ({
  schema: new Set(schema),
  entity: new Set(entity),
})

export function addFailed(to: FailedDefinitions, { schema, entity }: FailedDefinitions): void {
  for (const name of schema) to.schema.add(name)
  for (const name of entity) to.entity.add(name)
}

/** Adds what a file of definitions would define, if it failed. */
export async function recordFailed(
  db: Db,
  failed: FailedDefinitions,
  { kind, definitions, refused }: PlannedFile,
  { status }: FileReport,
): Promise<void> {
  if (status !== 'failed' || (kind !== 'schema' && kind !== 'entity')) return
  const items = (definitions?.items ?? []) as readonly (SchemaDefinition | EntityDefinition)[]
  const defined = refused ?? items.map((item) => ({ name: item.name, item }))
  const isInstalled = await installedAmong(db, kind, defined)
  for (const one of defined) {
    if (isInstalled(one)) continue
    failed[kind].add(one.name)
    if (one.item && 'keys' in one.item)
      for (const former of one.item.renamedFrom ?? []) failed.entity.add(former)
  }
}

/** A function that says whether a definition is installed as it is. */
async function installedAmong(
  db: Db,
  kind: 'schema' | 'entity',
  defined: readonly Refused[],
): Promise<(one: Refused) => boolean> {
  const names = defined.map(({ name }) => name)
  if (kind === 'schema') {
    const found = await db.select().from(schemas).where(inArray(schemas.name, names))
    return ({ name, item }) =>
      found.some((row) => row.name === name && isSame(row.definition, item))
  }
  const found = (await entitiesNamed(db, names)).map(({ row }) => row)
  return ({ name, item }) =>
    found.some(
      (row) =>
        row.name === name &&
        item !== null &&
        'keys' in item &&
        isSame(row.definition, keepDistribution(item, row.definition)),
    )
}

const isSame = (installed: object, defined: object | null) =>
  isDeepStrictEqual(installed, defined && toStored(defined))

/**
 * Throws `FileFailure` for data of an entity whose definition or schema failed, and for data that depends on an entity
 * whose definition failed and that is not installed at all.
 */
export async function requireDefinitions(
  db: Db,
  { target, dependencies }: PlannedFile,
  failed: FailedDefinitions,
): Promise<void> {
  if (failed.entity.size + failed.schema.size === 0) return
  const name = target ?? ''
  const [found] = await entitiesNamed(db, [name])
  const schema = found && schemaNameOf({ ...found.row.definition, name })
  if (failed.entity.has(name)) throw missing('entity', name, found !== undefined)
  if (schema !== undefined && failed.schema.has(schema))
    throw missing('schema', schema, Boolean(found?.schema))
  for (const needed of dependencies)
    if (failed.entity.has(needed) && (await entitiesNamed(db, [needed])).length === 0)
      throw missing('entity', needed, false)
}

const missing = (kind: 'entity' | 'schema', key: string, isInstalled: boolean) =>
  new FileFailure('Missing dependency', [
    {
      key,
      message: `The ${kind} "${key}" of the archive failed, and ${isInstalled ? 'the installed one is another' : 'none is installed'}`,
    },
  ])
