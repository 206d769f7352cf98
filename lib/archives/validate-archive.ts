import type { Entity, EntityDefinition } from '@/lib/definitions/definition'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import { entityFaults } from '@/lib/definitions/entity-faults'
import { typesByName } from '@/lib/definitions/resolve-type'
import { typeFaults } from '@/lib/definitions/type-faults'
import type { Env } from '@/lib/env'
import { mergeEntity, schemaNameOf } from '@/lib/registry/registry-rows'
import { tableTaken } from '@/lib/tables/define-entity'
import { openArchive } from './open-archive'
import { parsePlugin } from './parse-plugin'
import { planInstall } from './plan-install'
import {
  FileFailure,
  type FileKind,
  itemsOf,
  MAX_DETAILS,
  type PlannedFile,
  type Verdict,
} from './plugin-file'
import { toFailure } from './read-content'
import { envelopeWarnings, readRows } from './read-rows'

export type Validation = {
  pluginId: string
  pluginName: string
  version: string | null
  /** No file is invalid. */
  valid: boolean
  /** In the order of an install. */
  files: FileCheck[]
  ignored: { path: string; reason: string }[]
}

const NOTHING_INSTALLED = { entities: [], types: [] }

/**
 * Checks an archive without a database, by the parsers of an install: manifests, definitions, and the
 * records of entities that it defines. What depends on stored data is only known to a dry run. Throws
 * as `openArchive` and `parsePlugin` do for faults of the archive as a whole.
 */
export async function validateArchive(zip: Uint8Array, settings: Env): Promise<Validation> {
  const plugin = await parsePlugin(await openArchive(zip, settings), settings)
  const { manifest, files } = await planInstall(plugin, NOTHING_INSTALLED)
  const check = fileChecker(files)
  const checks: FileCheck[] = []
  for (const file of files) checks.push(await check(file))
  return {
    pluginId: manifest.id,
    pluginName: manifest.name,
    version: manifest.version,
    valid: checks.every(({ status }) => status !== 'invalid'),
    files: checks,
    ignored: plugin.ignored,
  }
}

/** The definitions of an archive, each among the others. */
type Definitions = {
  /** Why a file of definitions can't be installed. */
  failureOf(file: PlannedFile): FileFailure | null
  entityNamed(name: string): Entity | FileFailure
}

function definitionsOf(files: readonly PlannedFile[]): Definitions {
  const sound = files.filter(({ failure }) => failure === null)
  const types = typesByName(itemsOf(sound, 'type'))
  const schemas = new Map(itemsOf(sound, 'schema').map((schema) => [schema.name, schema]))
  const definitions = new Map(itemsOf(sound, 'entity').map((entity) => [entity.name, entity]))

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

/** What is known of a file without a database. `unchecked`: it needs what is not in the archive. */
type FileCheck = {
  path: string
  target: string | null
  kind: FileKind | null
  status: 'valid' | 'invalid' | 'unchecked'
  error: Verdict | null
  /** At most 100. */
  details: FileDetail[]
  detailCount: number
  /** The faults of records by rule; their totals are exact. */
  groups: FaultGroup[]
  warnings: FileDetail[]
  /** Of a data file that was checked. */
  records: number
}

/** A function that checks the files of a plan, each among the others. */
function fileChecker(files: readonly PlannedFile[]) {
  const definitions = definitionsOf(files)
  return async (file: PlannedFile): Promise<FileCheck> => {
    const { failure, records, warnings = [] } = await outcomeOf(file, definitions)
    const { path, target, kind } = file
    return {
      ...{ path, target, kind },
      status: failure === null ? 'valid' : isElsewhere(failure) ? 'unchecked' : 'invalid',
      error: failure?.verdict ?? null,
      details: failure?.details ?? [],
      detailCount: failure?.detailCount ?? 0,
      groups: failure?.groups ?? [],
      warnings: [...file.warnings, ...warnings].slice(0, MAX_DETAILS),
      records,
    }
  }
}

const isElsewhere = ({ verdict }: FileFailure) => verdict === 'Missing dependency'

type Outcome = { failure: FileFailure | null; records: number; warnings?: FileDetail[] }

async function outcomeOf(file: PlannedFile, definitions: Definitions): Promise<Outcome> {
  if (file.failure) return { failure: file.failure, records: 0 }
  if (file.kind !== 'data') return { failure: definitions.failureOf(file), records: 0 }
  const entity = definitions.entityNamed(file.target ?? '')
  if (entity instanceof FileFailure) return { failure: entity, records: 0 }
  const warnings = await envelopeWarnings(file, entity)
  const reader = readRows(file, entity)
  let records = 0
  try {
    for await (const _ of reader.read(() => records++));
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { failure, records, warnings }
  }
  const failure = reader.faultCount() > 0 ? reader.failure() : null
  return { failure, records, warnings }
}
