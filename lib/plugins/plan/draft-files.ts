import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Parsed } from '@/lib/definitions/definition-faults'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import type { Types } from '@/lib/definitions/resolve-type'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { Definitions, PlannedFile, PluginFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import type { JsonObject } from '@/lib/values/json'
import { warningsOf } from './definition-warnings'

/** Targets that always exist. */
export const DEFINITION_TARGETS: ReadonlyMap<string, Definitions['kind']> = new Map([
  ['EngineTypes', 'type'],
  ['EngineSchemas', 'schema'],
  ['EngineEntities', 'entity'],
  ['EngineRoles', 'role'],
  ['EnginePolicies', 'policy'],
])

/** A file whose definitions are read; nothing else is known yet. */
export type Draft = PluginFile & Pick<PlannedFile, 'definitions'>

/** The file's meaning by manifest and folder; undefined for data. */
export const kindOf = ({ target, folderName }: PluginFile) =>
  DEFINITION_TARGETS.get(target ?? folderName)

/** Reads and parses the definitions of files; `types` can be the types of properties. */
export async function draftAll(files: PluginFile[], types: Types): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const file of files) {
    await otherRequests()
    drafts.push(await draft(file, types))
  }
  return drafts
}

async function draft(file: PluginFile, types: Types): Promise<Draft> {
  const kind = kindOf(file)
  if (!kind || file.failure) return { ...file, definitions: null }
  try {
    const { items, warnings: rounded } = await readDefinitions(file)
    const warnings = [...file.warnings, ...rounded, ...warningsOf(kind, items)]
    return { ...file, ...parseDefinitions(kind, items, types), warnings }
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { ...file, definitions: null, failure }
  }
}

type ParsedFile = Pick<PlannedFile, 'definitions' | 'failure'>

function parseDefinitions(
  kind: Definitions['kind'],
  items: JsonObject[],
  types: Types,
): ParsedFile {
  if (items.length === 0) return refused([{ message: 'The file contains no definition' }])
  switch (kind) {
    case 'type':
      return collect(items.map(parseTypeDefinition), (all) => ({ kind, items: all }))
    case 'role':
      return collect(items.map(parseRole), (all) => ({ kind, items: all }))
    case 'policy':
      return collect(items.map(parsePolicy), (all) => ({ kind, items: all }))
    case 'entity':
      return collect(items.map(parseEntityDefinition), (all) => ({ kind, items: all }))
    case 'schema':
      return collect(
        items.map((item) => parseSchemaDefinition(item, types)),
        (all) => ({ kind, items: all }),
      )
  }
}

function collect<T>(parsed: Parsed<T>[], toDefinitions: (items: T[]) => Definitions): ParsedFile {
  const faults = parsed.flatMap((each, index) =>
    'faults' in each ? each.faults.map((fault) => ({ index, ...fault })) : [],
  )
  if (faults.length > 0) return refused(faults)
  const items = parsed.flatMap((each) => ('definition' in each ? [each.definition] : []))
  return { definitions: toDefinitions(items), failure: null }
}

const refused = (details: FileDetail[]): ParsedFile => ({
  definitions: null,
  failure: new FileFailure('Invalid definition', details),
})
