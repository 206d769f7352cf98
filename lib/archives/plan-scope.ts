import { isDeepStrictEqual } from 'node:util'
import type { EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import { type RegistryRow, schemaNameOf } from '@/lib/registry/registry-rows'
import { toStored } from '@/lib/tables/definition-transaction'
import { itemsOf, type PlannedFile } from './plugin-file'

type ShadowScope = {
  /** Installed entities that the files can affect or depend on, however remotely. */
  entities: RegistryRow[]
  /** Names of those whose stored records affect definitions: all their records are needed. */
  whole: ReadonlySet<string>
}

/** Which of the installed entities a dry run of `files` needs. Pure. */
export function shadowScope(
  files: readonly PlannedFile[],
  installed: readonly RegistryRow[],
  schemas: readonly SchemaDefinition[],
): ShadowScope {
  const links = linksBetween(installed, schemas, files)
  const changing = changedBy(files, installed)
  const touched = [
    ...changing,
    ...files.flatMap(({ target }) => target ?? []),
    ...clashing(files, installed),
    ...itemsOf(files, 'schema').flatMap(({ properties }) => referredBy(properties)),
    ...itemsOf(files, 'webhook').flatMap(({ entities }) => entities),
  ]
  const reached = reach(touched, links)
  const isLast = new Set([...changing].flatMap((name) => [...(links.get(name) ?? [])]))
  return {
    entities: installed.filter(({ row }) => reached.has(row.name)),
    whole: new Set([...changing, ...isLast]),
  }
}

/** Installed entities whose name or table a definition of the files takes, case-insensitive. */
function clashing(files: readonly PlannedFile[], installed: readonly RegistryRow[]): string[] {
  const items = itemsOf(files, 'entity')
  const taken = new Set(items.map(({ table }) => keyOf(table.schema, table.name)))
  const names = new Set(items.map(({ name }) => name.toLowerCase()))
  return installed.flatMap(({ row }) => {
    const clashes =
      taken.has(keyOf(row.tableSchema, row.tableName)) || names.has(row.name.toLowerCase())
    return clashes ? [row.name] : []
  })
}

const keyOf = (schema: string, name: string) => `${schema}.${name}`.toLowerCase()

type Links = ReadonlyMap<string, ReadonlySet<string>>

/** Which entities refer to each other, in either direction, as installed or as defined by the files. */
function linksBetween(
  installed: readonly RegistryRow[],
  schemas: readonly SchemaDefinition[],
  files: readonly PlannedFile[],
): Links {
  const links = new Map<string, Set<string>>()
  const link = (from: string, to: string) => {
    links.set(from, (links.get(from) ?? new Set()).add(to))
    links.set(to, (links.get(to) ?? new Set()).add(from))
  }
  const refer = (from: string, properties: readonly Referring[] = []) => {
    for (const name of referredBy(properties)) link(from, name)
  }
  for (const { row, schema } of installed) {
    refer(row.name, schema?.properties)
    for (const name of keptBeside(row.definition)) link(row.name, name)
  }
  for (const item of itemsOf(files, 'entity'))
    for (const name of keptBeside(item)) link(item.name, name)
  for (const { name, properties } of [...schemas, ...itemsOf(files, 'schema')]) {
    for (const user of usersOf(name, installed, files)) refer(user, properties)
  }
  return links
}

/** The entity that the records are kept with on a cluster, if any. */
const keptBeside = ({ distribution }: Pick<EntityDefinition, 'distribution'>): string[] =>
  typeof distribution === 'object' && distribution.with ? [distribution.with] : []

const referredBy = (properties: readonly Referring[]): string[] =>
  properties.flatMap(({ rules }) => rules.reference?.entity ?? [])

type Referring = { rules: { reference?: { entity: string } } }

/** Entities that use a schema of the files, installed or new. */
const usersOf = (
  schema: string,
  installed: readonly RegistryRow[],
  files: readonly PlannedFile[],
): string[] => [
  ...installed.flatMap(({ row }) =>
    schemaNameOf({ ...row.definition, name: row.name }) === schema ? [row.name] : [],
  ),
  ...itemsOf(files, 'entity').flatMap((one) => (schemaNameOf(one) === schema ? [one.name] : [])),
]

/** Names of entities whose definition in the files differs from the installed one. */
function changedBy(files: readonly PlannedFile[], installed: readonly RegistryRow[]): Set<string> {
  const rows = new Map(installed.map((one) => [one.row.name, one]))
  const schemas = new Map(
    installed.flatMap(({ schema }) => (schema ? [[schema.name, schema]] : [])),
  )
  const entities = itemsOf(files, 'entity').filter(
    (item) => !isDeepStrictEqual(rows.get(item.name)?.row.definition, toStored(item)),
  )
  const changedSchemas = itemsOf(files, 'schema').filter(
    (item) => !isDeepStrictEqual(schemas.get(item.name), toStored(item)),
  )
  return new Set([
    ...entities.flatMap(({ name, renamedFrom = [] }) => [name, ...renamedFrom]),
    ...changedSchemas.flatMap(({ name }) => usersOf(name, installed, files)),
  ])
}

function reach(from: readonly string[], links: Links): Set<string> {
  const reached = new Set(from)
  const open = [...reached]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of links.get(name) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(next)
    }
  }
  return reached
}
