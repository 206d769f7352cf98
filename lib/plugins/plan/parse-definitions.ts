import type { Parsed } from '@/lib/definitions/definition-faults'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import type { Types } from '@/lib/definitions/resolve-type'
import type { Definitions, PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import type { JsonObject } from '@/lib/values/json'

type ParsedFile = Pick<PlannedFile, 'definitions' | 'failure'>

/** The definitions of a file, or why it can't be installed: all of them or none. */
export function parseDefinitions(
  kind: Definitions['kind'],
  items: readonly JsonObject[],
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
