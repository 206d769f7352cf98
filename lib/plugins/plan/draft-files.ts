import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Types } from '@/lib/definitions/resolve-type'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { Definitions, PlannedFile, PluginFile } from '@/lib/plugins/plugin-file'
import { warningsOf } from './definition-warnings'
import { parseDefinitions } from './parse-definitions'
import { refusedIn } from './refused-definitions'

/** Targets that always exist. */
export const DEFINITION_TARGETS: ReadonlyMap<string, Definitions['kind']> = new Map([
  ['EngineTypes', 'type'],
  ['EngineSchemas', 'schema'],
  ['EngineEntities', 'entity'],
  ['EngineRoles', 'role'],
  ['EnginePolicies', 'policy'],
])

/** A file whose definitions are read; nothing else is known yet. */
export type Draft = PluginFile & Pick<PlannedFile, 'definitions' | 'refused'>

/** The file's meaning by manifest and folder; undefined for data. */
export const kindOf = ({ target, folderName }: PluginFile) =>
  DEFINITION_TARGETS.get(target ?? folderName)

/** Reads and parses the definitions of files; `types` can be the types of properties. */
export async function draftAll(files: PluginFile[], types: Types): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const file of files) {
    await otherRequests()
    const made = await draft(file, types)
    const kind = kindOf(file)
    if (made.failure && kind) drafts.push({ ...made, refused: await refusedIn(file, kind, types) })
    else drafts.push(made)
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
