import { shadowScope } from '@/lib/archives/plan-scope'
import { itemsOf, type PlannedFile } from '@/lib/archives/plugin-file'
import type { SchemaDefinition } from '@/lib/definitions/definition'
import { type RegistryRow, schemaNameOf } from '@/lib/registry/registry-rows'

/** The names of everything that the outcome of a plan may depend on, installed or not. */
export type SealScope = {
  entities: ReadonlySet<string>
  /** Of the installed entities, those whose records are read. */
  records: ReadonlySet<string>
  schemas: ReadonlySet<string>
  roles: ReadonlySet<string>
  policies: ReadonlySet<string>
  webhooks: ReadonlySet<string>
  /** Types are compared one and all when the archive contains types or schemas. */
  types: boolean
}

/** Which definitions and records the plan of `files` depends on. Pure. */
export function sealScope(
  files: readonly PlannedFile[],
  installed: readonly RegistryRow[],
  schemas: readonly SchemaDefinition[],
  { removed }: { removed?: 'keep' | 'delete' | undefined } = {},
): SealScope {
  const scope = shadowScope(files, installed, schemas)
  const defined = itemsOf(files, 'entity')
  const shaped = itemsOf(files, 'schema')
  const written = new Set(
    files.flatMap(({ kind, target }) => (kind === 'data' && target ? target : [])),
  )
  const properties = propertiesBy([
    ...installed.flatMap(({ schema }) => schema ?? []),
    ...schemas,
    ...shaped,
  ])
  const referred = (name: string) =>
    (properties.get(schemaOf(name, files, installed)) ?? []).flatMap(
      ({ rules }) => rules.reference ?? [],
    )
  const targets = [...written].flatMap((name) => referred(name).map(({ entity }) => entity))
  const referring = installed
    .map(({ row }) => row.name)
    .filter((name) =>
      referred(name).some(
        (one) => written.has(one.entity) && (removed === 'delete' || !isKey(one, installed)),
      ),
    )
  return {
    entities: new Set([
      ...scope.entities.map(({ row }) => row.name),
      ...defined.map(({ name }) => name),
      ...files.flatMap(({ target, dependencies }) => [target ?? [], ...dependencies].flat()),
      ...shaped.flatMap((one) =>
        one.properties.flatMap(({ rules }) => rules.reference?.entity ?? []),
      ),
    ]),
    records: new Set([...scope.whole, ...written, ...targets, ...referring]),
    schemas: new Set([
      ...shaped.map(({ name }) => name),
      ...defined.map(schemaNameOf),
      ...scope.entities.map(({ row }) => schemaNameOf({ ...row.definition, name: row.name })),
    ]),
    roles: new Set(itemsOf(files, 'role').map(({ name }) => name.toLowerCase())),
    policies: new Set(itemsOf(files, 'policy').map(({ name }) => name.toLowerCase())),
    webhooks: new Set(itemsOf(files, 'webhook').map(({ name }) => name.toLowerCase())),
    types: files.some(({ kind }) => kind === 'type' || kind === 'schema'),
  }
}

const propertiesBy = (schemas: readonly SchemaDefinition[]) =>
  new Map(schemas.map(({ name, properties }) => [name, properties]))

function schemaOf(
  entity: string,
  files: readonly PlannedFile[],
  installed: readonly RegistryRow[],
) {
  const defined = itemsOf(files, 'entity').find(({ name }) => name === entity)
  const row = installed.find((one) => one.row.name === entity)?.row
  const definition = defined ?? row?.definition
  return definition ? schemaNameOf({ ...definition, name: entity }) : entity
}

/** Whether a reference is to the only key, which no install changes. */
const isKey = (
  { entity, field }: { entity: string; field: string },
  installed: readonly RegistryRow[],
) => {
  const keys = installed.find(({ row }) => row.name === entity)?.row.definition.keys
  return keys?.length === 1 && keys[0]?.key === field
}
