import { baseName } from '@/lib/plugins/archive/layout'
import type { ContentFile } from '@/lib/plugins/archive/parse-plugin'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { PlannedFile } from '@/lib/plugins/install-plan'

/** What the schemas in files that can't be installed are called, as far as the files let it be read. */
export async function namesOfFailedSchemas(
  drafts: readonly { content: ContentFile }[],
): Promise<string[]> {
  const names: string[] = []
  for (const { content } of drafts) names.push(...(await namesIn(content)))
  return [...new Set(names)]
}

/** By the file's own name when its content tells nothing: `EngineSchemas/<Entity>.json`. */
async function namesIn(content: ContentFile): Promise<string[]> {
  const byFile = baseName(content.path).replace(/\.json$/i, '')
  try {
    const { items } = await readDefinitions(content)
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
