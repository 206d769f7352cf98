import type {
  Entity,
  EntityDefinition,
  SchemaDefinition,
  TypeDefinition,
} from '@/lib/definitions/definition'
import { entityFaults } from '@/lib/definitions/entity-faults'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { typesByName } from '@/lib/definitions/resolve-type'
import { typeFaults } from '@/lib/definitions/type-faults'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { mergeEntity, schemaNameOf } from '@/lib/registry/merge-entity'
import { tableTaken } from '@/lib/tables/define-entity'

/** The definitions of an archive, each among the others. */
export type Definitions = {
  /** Why a file of definitions can't be installed. */
  failureOf(file: PlannedFile): FileFailure | null
  entityNamed(name: string): Entity | FileFailure
}

type Kinds = { type: TypeDefinition; schema: SchemaDefinition; entity: EntityDefinition }

export function definitionsOf(files: readonly PlannedFile[]): Definitions {
  const itemsOf = <K extends keyof Kinds>(kind: K): Kinds[K][] =>
    files.flatMap(({ failure, definitions }) =>
      failure === null && definitions?.kind === kind ? (definitions.items as Kinds[K][]) : [],
    )
  const types = typesByName(itemsOf('type'))
  const schemas = new Map(itemsOf('schema').map((schema) => [schema.name, schema]))
  const definitions = new Map(itemsOf('entity').map((entity) => [entity.name, entity]))

  const failed = new Set(
    files.flatMap(({ kind, refused = [] }) =>
      kind === 'schema' ? refused.map(({ name }) => name) : [],
    ),
  )

  function merged(definition: EntityDefinition): Entity | FileFailure {
    const name = schemaNameOf(definition)
    const schema = schemas.get(name)
    if (!schema && (definition.engineSchema !== null || failed.has(name)))
      return missing(name, `The schema "${name}" is not in the archive, or its definition failed`)
    const { table } = definition
    const row = { name: definition.name, pluginId: null, definition, extraFields: [] }
    return mergeEntity({ ...row, tableSchema: table.schema, tableName: table.name }, schema ?? null)
  }

  /** Of the entities with one table, the first that is sound gets it, in the order of an install. */
  const owners = new Map<string, string>()
  const faulty = new Map<string, FileDetail[]>()
  for (const definition of definitions.values()) {
    const entity = merged(definition)
    if (entity instanceof FileFailure) continue
    const at = `${entity.table.schema}.${entity.table.name}`
    const owner = owners.get(at)
    const faults = entityFaults(entity)
    if (owner !== undefined) faults.push(tableTaken(entity.table, owner))
    if (faults.length === 0) owners.set(at, entity.name)
    else faulty.set(entity.name, faults)
  }

  function faultsOf(file: PlannedFile): FileFailure | null {
    const found = file.definitions
    if (found?.kind === 'type') return invalid(found.items.map((type) => typeFaults(type, types)))
    if (found?.kind !== 'entity') return null
    const entities = found.items.map(merged)
    const faults = entities.map((one) =>
      one instanceof FileFailure ? [] : (faulty.get(one.name) ?? []),
    )
    return invalid(faults) ?? entities.find((one) => one instanceof FileFailure) ?? null
  }

  return {
    failureOf: faultsOf,
    entityNamed: (name) => {
      const definition = definitions.get(name)
      if (!definition) return missing(name, `The entity "${name}" is not in the archive`)
      const entity = merged(definition)
      return faulty.has(name)
        ? missing(name, `The definition of the entity "${name}" failed`)
        : entity
    },
  }
}

const missing = (key: string, message: string) =>
  new FileFailure('Missing dependency', [{ key, message }])

function invalid(faults: FileDetail[][]): FileFailure | null {
  const details = faults.flatMap((found, index) => found.map((fault) => ({ index, ...fault })))
  return details.length > 0 ? new FileFailure('Invalid definition', details) : null
}
