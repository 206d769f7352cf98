import { AppError } from '@/lib/errors'
import type { Json, JsonObject } from '@/lib/values/json'
import { type Description, fileSchemas, nameOf } from './describe'
import type { EngineClient } from './engine-client'
import { itemsOf } from './install-plugins'
import type { SettingsFile } from './settings-kinds'
import type { Files } from './take-snapshot'
import { schemaOf, unknownParts } from './unknown-parts'

type Server = { client: EngineClient; about: Description }

/**
 * Throws `conflict` for what the files have and the target is too old to know, by its name: nothing would be right that ignored it.
 */
export async function requireKnown(
  source: Server,
  target: Server,
  files: Files,
  settings: readonly SettingsFile[],
): Promise<void> {
  const unknown = [
    ...settings.flatMap((file) => unknownFields(source.about, target.about, file, files)),
    ...(await unknownDefinitions(source.client, target.client, files)),
  ]
  if (unknown.length === 0) return
  const shown = unknown.slice(0, MOST_NAMED)
  const left = unknown.length - shown.length
  throw new AppError(
    'conflict',
    [
      `The target, ${nameOf(target.about)}, does not know what the source, ${nameOf(source.about)}, has; nothing was changed:`,
      ...shown,
      ...(left > 0 ? [`and ${left} more`] : []),
    ].join('\n'),
  )
}

const MOST_NAMED = 20

function unknownFields(
  source: Description,
  target: Description,
  file: SettingsFile,
  files: Files,
): string[] {
  const [known, there] = [source?.settings[file.what], target?.settings[file.what]]
  if (!target || !known) return []
  const items = itemsOf(files, file)
  if (!there) return items.length > 0 ? [`${file.what}: of ${items.length}`] : []
  return items.flatMap((item) => {
    const names = Object.keys(item).filter((key) => known.includes(key) && !there.includes(key))
    return names.map((name) => `${file.what} ${String(item.name ?? '')}: ${name}`)
  })
}

const KINDS: Record<string, string> = {
  EngineEntities: 'entity',
  EngineSchemas: 'schema',
  EngineTypes: 'type',
}

async function unknownDefinitions(from: EngineClient, to: EngineClient, files: Files) {
  const definitions = [...definitionsIn(files)]
  if (definitions.length === 0) return []
  const [known, there] = [await fileSchemas(from), await fileSchemas(to)]
  return definitions.flatMap(({ path, kind, content }) => {
    const [source, target] = [known[kind], there[kind]]
    if (!source || !target) return []
    const parts = unknownParts(content, schemaOf(source), schemaOf(target))
    return parts.map((part) => `${path}: ${part}`)
  })
}

/** The definitions among the files, with the kinds of their schemas. */
function* definitionsIn(files: Files) {
  const parse = (path: string): Json => JSON.parse(Buffer.from(files.get(path) ?? '').toString())
  for (const path of files.keys()) {
    const [, , folder = '', name = ''] = path.split('/')
    if (folder === 'engineplugin.json') yield { path, kind: 'plugin', content: parse(path) }
    if (name !== '__manifest__.json') continue
    const manifest = parse(path) as JsonObject
    yield { path, kind: 'component', content: manifest as Json }
    const kind = KINDS[String(manifest.target)]
    const start = path.slice(0, -name.length)
    for (const other of kind ? files.keys() : [])
      if (kind && other.startsWith(start) && other !== path)
        yield { path: other, kind, content: parse(other) }
  }
}
