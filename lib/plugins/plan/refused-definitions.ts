import { isDeepStrictEqual } from 'node:util'
import type { TypeDefinition } from '@/lib/definitions/definition'
import { typeKey } from '@/lib/definitions/property-types'
import type { Types } from '@/lib/definitions/resolve-type'
import { baseName } from '@/lib/plugins/archive/layout'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { Definitions, PluginFile, Refused } from '@/lib/plugins/plugin-file'
import { toStored } from '@/lib/tables/save-entity'
import { parseDefinitions } from './parse-definitions'

/** What a file that can't be installed defines; by its own name, and all that its text names, when its content can't be read. */
export async function refusedIn(
  file: PluginFile,
  kind: Definitions['kind'],
  types: Types,
): Promise<Refused[]> {
  if (kind === 'role' || kind === 'policy') return []
  const byFile = baseName(file.path).replace(/\.json$/i, '')
  try {
    const { items } = await readDefinitions(file)
    return items.map((json) => {
      const item = parseDefinitions(kind, [json], types).definitions?.items[0] ?? null
      return {
        name: typeof json.name === 'string' ? json.name : byFile,
        item: item as Refused['item'],
      }
    })
  } catch (error) {
    if (!toFailure(error)) throw error
    return [...new Set([byFile, ...namesIn(file)])].map((name) => ({ name, item: null }))
  }
}

/** Names of definitions, and of properties, which may be one too many. */
function namesIn({ bytes }: PluginFile): string[] {
  const text = Buffer.from(bytes.subarray(0, MAX_BYTES)).toString()
  return [...text.matchAll(/"name"\s*:\s*"(\w+)"/g)].flatMap(([, name]) => name ?? [])
}

/** What is read of a file that is too large, too. */
const MAX_BYTES = 4 * 1024 * 1024

/** The installed types but those that the archive would define otherwise and that are refused. */
export const withoutRefused = (
  installed: readonly TypeDefinition[],
  refused: readonly Refused[],
): TypeDefinition[] =>
  installed.filter((type) =>
    refused.every(
      ({ name, item }) =>
        typeKey(name) !== typeKey(type.name) || isDeepStrictEqual(item && toStored(item), type),
    ),
  )
