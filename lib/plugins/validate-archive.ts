import type { Env } from '@/lib/env'
import { openArchive } from './archive/open-archive'
import { parsePlugin } from './archive/parse-plugin'
import { type FileCheck, fileChecker } from './check/file-checker'
import { planInstall } from './plan/plan-install'

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
