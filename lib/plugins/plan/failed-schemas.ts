import { baseName } from '@/lib/plugins/archive/layout'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { PlannedFile, PluginFile } from '@/lib/plugins/plugin-file'

/** Names of the schemas in files that can't be installed, as far as they can be read. */
export async function namesOfFailedSchemas(files: readonly PluginFile[]): Promise<string[]> {
  const names: string[] = []
  for (const file of files) names.push(...(await namesIn(file)))
  return [...new Set(names)]
}

/** By the file's own name when its content can't be read: `EngineSchemas/<Entity>.json`. */
async function namesIn(file: PluginFile): Promise<string[]> {
  const byFile = baseName(file.path).replace(/\.json$/i, '')
  try {
    const { items } = await readDefinitions(file)
    return items.map(({ name }) => (typeof name === 'string' ? name : byFile))
  } catch (error) {
    if (!toFailure(error)) throw error
    return [byFile]
  }
}

export const withFailedSchemas = (
  file: PlannedFile,
  failedSchemas: readonly string[],
): PlannedFile =>
  file.definitions?.kind === 'entity'
    ? { ...file, definitions: { ...file.definitions, failedSchemas } }
    : file
